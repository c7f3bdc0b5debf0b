//! Constants of modules, and their mutants: each number one more and one less.
use crate::source::{File, Module};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A constant of a module with numbers.
#[derive(Debug)]
pub struct Constant {
    pub name: String,
    pub module: Module,
    /// Index of its file.
    pub file: usize,
    /// Where copies of it are inserted.
    pub end: usize,
    /// The type and, per mutant: position, description, value.
    pub ty: String,
    pub values: Vec<(usize, String, String)>,
}

const INTEGERS: [&str; 12] = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The constants of all files.
pub fn find(files: &[File]) -> Vec<Constant> {
    let mut aliases = BTreeMap::new();
    for item in files.iter().flat_map(|file| &file.syntax.items) {
        if let syn::Item::Type(alias) = item {
            aliases.insert(alias.ident.to_string(), type_name(&alias.ty));
        }
    }
    let mut found = vec![];
    for (index, file) in files.iter().enumerate().filter(|(_, file)| !file.is_test) {
        for item in &file.syntax.items {
            let syn::Item::Const(item) = item else { continue };
            let text = |range: Range<usize>| file.text[range].to_owned();
            let name = item.ident.to_string();
            let ty = type_name(&item.ty);
            let ty = aliases.get(&ty).unwrap_or(&ty);
            let values = if INTEGERS.contains(&ty.as_str()) {
                let at = item.expr.span().byte_range().start;
                let change = |sign: &str, by: &str| (at, format!("{name} {sign} 1"), format!("{name}.{by}(1)"));
                vec![change("+", "wrapping_add"), change("-", "wrapping_sub")]
            } else {
                literals(&file.text, item)
            };
            if !values.is_empty() {
                let (end, ty) = (item.span().byte_range().end, text(item.ty.span().byte_range()));
                found.push(Constant { name, module: file.module.clone(), file: index, end, ty, values });
            }
        }
    }
    found
}

fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The values of an array or a structure with one number changed.
fn literals(text: &str, item: &syn::ItemConst) -> Vec<(usize, String, String)> {
    struct Literals(Vec<(Range<usize>, u128, String)>);
    impl<'ast> Visit<'ast> for Literals {
        fn visit_expr(&mut self, expr: &'ast syn::Expr) {
            match expr {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => {
                    if let Ok(value) = number.base10_parse() {
                        self.0.push((number.span().byte_range(), value, number.suffix().to_owned()));
                    }
                }
                // Functions and blocks are no tables.
                syn::Expr::Block(_) | syn::Expr::Call(_) | syn::Expr::Macro(_) => {}
                syn::Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
                _ => syn::visit::visit_expr(self, expr),
            }
        }
        fn visit_type(&mut self, _: &'ast syn::Type) {}
    }
    let mut found = Literals(vec![]);
    found.visit_expr(&item.expr);
    let whole = item.expr.span().byte_range();
    let mut values = vec![];
    for (index, (range, value, suffix)) in found.0.into_iter().enumerate() {
        let changed = [Some(value + 1), value.checked_sub(1)].into_iter().flatten();
        for new in changed {
            let init = format!("{}{new}{suffix}{}", &text[whole.start..range.start], &text[range.end..whole.end]);
            values.push((range.start, format!("{}: number {index}, {value} -> {new}", item.ident), init));
        }
    }
    values
}
