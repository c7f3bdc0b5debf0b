//! Rewrites source files so that they contain all chosen mutants.
use crate::plan::{Change, Mutant, Plan};
use crate::source::{File, Module};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::Visit;

/// A part of a file that is rewritten.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

/// A rewritten file.
pub struct Rendered {
    pub text: String,
    /// The places and their positions in the new text, except those of changes that all files need.
    pub places: Vec<(Range<usize>, Place)>,
}

enum Kind {
    /// Text before and after the old text.
    Around(String, String),
    /// New text in place of the old one; alone if it is empty.
    Instead(String),
}

struct Edit {
    range: Range<usize>,
    kind: Kind,
    /// Whether the edit can be dropped.
    is_mutant: bool,
}

/// The text of a file with the mutants of the plan, except those at the places `dropped`.
pub fn render(plan: &Plan, index: usize, dropped: &BTreeSet<Place>) -> Rendered {
    let file = &plan.files[index];
    let mut edits = public_modules(file);
    let mut mutants = mutants(plan, index, &file.module);
    mutants.retain(|edit| !dropped.contains(&Place { file: index, start: edit.range.start, end: edit.range.end }));
    edits.extend(mutants);
    // Outer ranges first; insertions precede all that begins at the same position.
    edits.sort_by_key(|edit| (edit.range.start, !edit.range.is_empty(), usize::MAX - edit.range.end));
    let mut writer = Writer { file, index, rendered: Rendered { text: String::new(), places: vec![] } };
    let mut rest = &edits[..];
    writer.write(&mut rest, 0..file.text.len());
    let mut rendered = writer.rendered;
    if file.module.krate == "dndi_simd" && file.module.path.is_empty() {
        rendered.text.push_str("\n#[allow(missing_docs)]\npub mod mutant;\n");
    }
    rendered
}

struct Writer<'a> {
    file: &'a File,
    index: usize,
    rendered: Rendered,
}

impl Writer<'_> {
    /// Writes a range of the file with the edits inside it, which it removes from `edits`.
    fn write(&mut self, edits: &mut &[Edit], range: Range<usize>) {
        let mut at = range.start;
        while let Some((edit, rest)) = edits.split_first().filter(|(edit, _)| edit.range.end <= range.end) {
            *edits = rest;
            self.rendered.text.push_str(&self.file.text[at..edit.range.start]);
            let start = self.rendered.text.len();
            match &edit.kind {
                Kind::Around(before, after) => {
                    self.rendered.text.push_str(before);
                    self.write(edits, edit.range.clone());
                    self.rendered.text.push_str(after);
                }
                Kind::Instead(text) => self.rendered.text.push_str(text),
            }
            if edit.is_mutant {
                let place = Place { file: self.index, start: edit.range.start, end: edit.range.end };
                self.rendered.places.push((start..self.rendered.text.len(), place));
            }
            at = edit.range.end;
        }
        self.rendered.text.push_str(&self.file.text[at..range.end]);
    }
}

/// The mutants of a file, and its uses of mutated constants.
fn mutants(plan: &Plan, index: usize, module: &Module) -> Vec<Edit> {
    let runtime = module.runtime();
    let mut edits = vec![];
    for (number, site) in plan.sites[index].iter().enumerate() {
        let chosen = plan.chosen.iter().filter_map(|mutant| match mutant.change {
            Change::Site { file, site, index: which } if (file, site) == (index, number) => Some((mutant, which)),
            _ => None,
        });
        let chosen: Vec<(&Mutant, usize)> = chosen.collect();
        let branches = chosen.iter().map(|(mutant, which)| {
            let condition = format!("if {runtime}::is({}) {{ {} }}", mutant.id, site.mutants[*which].2);
            if site.range.is_empty() { format!(" {condition}") } else { format!("{condition} else ") }
        });
        let branches: String = branches.collect();
        if chosen.is_empty() {
            continue;
        }
        let kind = if site.range.is_empty() {
            Kind::Instead(branches)
        } else {
            Kind::Around(format!("({branches}{{ "), " })".to_owned())
        };
        edits.push(Edit { range: site.range.clone(), kind, is_mutant: true });
    }
    for (number, constant) in plan.constants.iter().enumerate() {
        let chosen = || {
            plan.chosen.iter().filter_map(move |mutant| match mutant.change {
                Change::Constant { constant, index } if constant == number => Some((mutant, index)),
                _ => None,
            })
        };
        if chosen().next().is_none() {
            continue;
        }
        if constant.file == index {
            let copy = |(mutant, value): (&Mutant, usize)| {
                let (name, ty) = (copy_name(&constant.name, mutant), &constant.ty);
                format!("\n#[doc(hidden)] pub const {name}: {ty} = {};", constant.values[value].2)
            };
            let copies = chosen().map(copy).collect();
            edits.push(Edit { range: constant.end..constant.end, kind: Kind::Instead(copies), is_mutant: false });
        }
        for used in plan.uses[index].iter().filter(|used| plan.constant_of(index, &used.name) == Some(number)) {
            let values = chosen().map(|(mutant, _)| {
                format!("({}, &{})", mutant.id, constant.module.item(module, &copy_name(&constant.name, mutant)))
            });
            let values = values.collect::<Vec<_>>().join(", ");
            let before = format!("(*{runtime}::pick(&[{values}], &");
            edits.push(Edit { range: used.range.clone(), kind: Kind::Around(before, "))".to_owned()), is_mutant: true });
        }
    }
    edits
}

fn copy_name(constant: &str, mutant: &Mutant) -> String {
    format!("{constant}__M{}", mutant.id)
}

/// Makes modules public, so that the copies of constants can be named from all modules.
fn public_modules(file: &File) -> Vec<Edit> {
    struct Modules(Vec<Edit>);
    impl<'ast> Visit<'ast> for Modules {
        fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
            let at = item.mod_token.span.byte_range().start;
            let (range, new) = match &item.vis {
                syn::Visibility::Public(_) => return,
                syn::Visibility::Restricted(vis) => {
                    (vis.pub_token.span.byte_range().start..vis.paren_token.span.close().byte_range().end, "pub")
                }
                syn::Visibility::Inherited => (at..at, "pub "),
            };
            self.0.push(Edit { range, kind: Kind::Instead(new.to_owned()), is_mutant: false });
            syn::visit::visit_item_mod(self, item);
        }
    }
    let mut modules = Modules(vec![]);
    modules.visit_file(&file.syntax);
    modules.0
}
