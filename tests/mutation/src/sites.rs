//! The places of a file that can be mutated: expressions, function bodies, and uses of constants.
use crate::operators::{self, Changed};
use crate::source::{File, is_for_tests};
use std::ops::Range;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, Token};

/// An expression, or the start of a function body if the range is empty.
#[derive(Debug)]
pub struct Site {
    pub range: Range<usize>,
    /// The text of a mutant of a function body is a statement that precedes the body.
    pub mutants: Vec<Changed>,
}

/// A path expression that may name a constant.
#[derive(Debug)]
pub struct Use {
    pub range: Range<usize>,
    pub name: String,
}

/// The sites and uses of a file, both in no particular order.
pub fn find(file: &File) -> (Vec<Site>, Vec<Use>) {
    let mut finder = Finder { text: &file.text, is_test: file.is_test, sites: vec![], uses: vec![] };
    finder.visit_file(&file.syntax);
    (finder.sites, finder.uses)
}

struct Finder<'a> {
    text: &'a str,
    /// Tests are not mutated, but they use the mutated constants.
    is_test: bool,
    sites: Vec<Site>,
    uses: Vec<Use>,
}

/// Whether a name is written like that of a constant.
fn is_constant(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

impl Finder<'_> {
    fn add(&mut self, range: Range<usize>, mutants: Vec<Changed>) {
        if self.is_test || mutants.is_empty() {
            return;
        }
        match self.sites.iter_mut().find(|site| site.range == range) {
            Some(site) => site.mutants.extend(mutants),
            None => self.sites.push(Site { range, mutants }),
        }
    }

    fn within_tests(&mut self, is_test: bool, visit: impl FnOnce(&mut Self)) {
        let before = self.is_test;
        self.is_test |= is_test;
        visit(self);
        self.is_test = before;
    }

    /// A function that returns at once.
    fn function(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let returned = operators::returned(&signature.output);
        let start = body.brace_token.span.open().byte_range().end;
        let name = &signature.ident;
        let mutants = returned.into_iter().map(|value| (start, format!("{name} returns {value}"), format!("return {value};")));
        if !body.stmts.is_empty() {
            self.add(start..start, mutants.collect());
        }
        visit::visit_block(self, body);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.within_tests(is_for_tests(&item.attrs), |finder| visit::visit_item_mod(finder, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() {
            self.within_tests(is_for_tests(&item.attrs), |finder| finder.function(&item.sig, &item.block));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() {
            self.within_tests(is_for_tests(&item.attrs), |finder| finder.function(&item.sig, &item.block));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let range = expr.span().byte_range();
        self.add(range.clone(), operators::mutants(self.text, expr));
        match expr {
            Expr::Path(path) if path.qself.is_none() => {
                let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                // Constants of types are other constants.
                let of_type = names.iter().rev().nth(1).is_some_and(|name| name.starts_with(|c: char| c.is_uppercase()));
                if let Some(name) = names.last().filter(|name| !of_type && is_constant(name)) {
                    self.uses.push(Use { range, name: name.clone() });
                }
            }
            Expr::If(conditional) => {
                let condition = &conditional.cond;
                self.add(condition.span().byte_range(), operators::negation(self.text, condition));
                visit::visit_expr(self, expr);
            }
            // Lengths of arrays and blocks of constants are fixed at compile time.
            Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
            Expr::Const(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let arguments = |input: ParseStream| {
            let list = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
            Ok(list.into_iter().collect::<Vec<_>>())
        };
        let repeat = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(vec![value, input.parse()?])
        };
        let first = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<proc_macro2::TokenStream>()?;
            Ok(vec![value])
        };
        let tokens = || call.tokens.clone();
        let found = match name.as_str() {
            "debug_assert" | "debug_assert_eq" | "concat" | "stringify" | "env" => return,
            "matches" => first.parse2(tokens()),
            "vec" => arguments.parse2(tokens()).or_else(|_| repeat.parse2(tokens())),
            "assert" | "assert_eq" | "assert_ne" | "format" | "write" | "writeln" | "print" | "println" | "eprint"
            | "eprintln" | "panic" | "unreachable" => arguments.parse2(tokens()),
            _ => return,
        };
        for expr in found.unwrap_or_default() {
            // The visitor needs the expression for the call only.
            Finder::visit_expr(self, Box::leak(Box::new(expr)));
        }
    }

    // None of these holds an expression that is evaluated while the program runs.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
}
