//! The list of public items: finds the items that are reachable from the root of a crate and
//! describes them.
use crate::text::{arguments, text};
use crate::tree::{Crate, Location, attributes, definition, imports, is_for_tests, resolve};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, Fields, Generics, ImplItem, Item, ItemImpl, ReturnType, Safety, Signature, TraitItem, Type, Visibility};

/// The public items of a crate, sorted by path: one line each.
pub fn list(crates: &[Crate], krate: usize) -> Vec<String> {
    let mut list = List { crates, paths: BTreeMap::new(), lines: BTreeSet::new() };
    list.add_module(&Location { krate, module: vec![], item: None }, &crates[krate].name);
    list.add_implementations();
    list.lines.into_iter().map(|(_, line)| line).collect()
}

struct List<'a> {
    crates: &'a [Crate],
    /// The public paths of each item.
    paths: BTreeMap<Location, BTreeSet<String>>,
    /// The lines with the paths that they are sorted by.
    lines: BTreeSet<(String, String)>,
}

impl List<'_> {
    /// Adds `kind`, `path` and `rest`.
    fn add(&mut self, kind: &str, path: &str, rest: &str) {
        self.lines.insert((path.to_owned(), format!("{kind} {path}{rest}")));
    }

    /// Adds a line for a function; `path` includes its name.
    fn add_function(&mut self, path: &str, signature: &Signature, rest: &str) {
        let mut kind = String::new();
        for (is_set, word) in
            [(signature.constness.is_some(), "const "), (matches!(signature.safety, Safety::Unsafe(_)), "unsafe ")]
        {
            kind += if is_set { word } else { "" };
        }
        let Signature { generics, output, .. } = signature;
        let (generics, condition) = parameters(generics);
        let output = if matches!(output, ReturnType::Default) { String::new() } else { format!(" {}", text(output)) };
        let rest = format!("{generics}({}){output}{condition}{rest}", arguments(signature));
        self.add(&format!("{kind}fn"), path, &rest);
    }

    /// Adds the public items of a module that is public as `path`.
    fn add_module(&mut self, location: &Location, path: &str) {
        let crates = self.crates;
        if !self.paths.entry(location.clone()).or_default().insert(path.to_owned()) {
            return;
        }
        self.add("mod", path, "");
        for item in &crates[location.krate].modules[&location.module].items {
            match item {
                Item::Mod(module) if is_public(&module.vis) => {
                    let name = module.ident.to_string();
                    let inner =
                        Location { module: [&location.module[..], std::slice::from_ref(&name)].concat(), ..location.clone() };
                    self.add_module(&inner, &format!("{path}::{name}"));
                }
                Item::Use(import) if is_public(&import.vis) => {
                    for (alias, target) in imports(import) {
                        let found = resolve(crates, location.krate, &location.module, &target);
                        let found = found.unwrap_or_else(|| panic!("{path} exports {}, which was not found", target.join("::")));
                        match alias.as_str() {
                            "*" => self.add_module(&found, path),
                            _ => self.add_location(&found, &format!("{path}::{alias}")),
                        }
                    }
                }
                _ => {
                    if let Some((name, _)) = definition(item).filter(|(_, visibility)| is_public(visibility)) {
                        self.add_location(
                            &Location { item: Some(name.to_string()), ..location.clone() },
                            &format!("{path}::{name}"),
                        );
                    }
                }
            }
        }
    }

    /// Adds a module or an item that is public as `path`.
    fn add_location(&mut self, location: &Location, path: &str) {
        let crates = self.crates;
        let Some(name) = &location.item else { return self.add_module(location, path) };
        self.paths.entry(location.clone()).or_default().insert(path.to_owned());
        for item in &crates[location.krate].modules[&location.module].items {
            if definition(item).is_some_and(|(ident, _)| ident == name) {
                self.add_item(item, path);
            }
        }
    }

    fn add_item(&mut self, item: &Item, path: &str) {
        let marks = marks(attributes(item));
        match item {
            Item::Const(item) => self.add("const", path, &format!(": {}", text(&item.ty))),
            Item::Static(item) => self.add("static", path, &format!(": {}", text(&item.ty))),
            Item::Type(item) => {
                self.add("type", path, &format!("{} = {}", parameters(&item.generics).0, text(&item.ty)));
            }
            Item::Fn(item) => self.add_function(path, &item.sig, &marks),
            Item::Struct(item) => {
                let hides = item.fields.iter().any(|field| !is_public(&field.vis));
                let (generics, condition) = parameters(&item.generics);
                self.add(
                    "struct",
                    path,
                    &format!("{generics}{condition}{}{marks}", if hides { " [private fields]" } else { "" }),
                );
                for (index, field) in item.fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
                    let name = field.ident.as_ref().map_or(index.to_string(), |name| name.to_string());
                    self.add("field", &format!("{path}::{name}"), &format!(": {}", text(&field.ty)));
                }
            }
            Item::Enum(item) => {
                let (generics, condition) = parameters(&item.generics);
                self.add("enum", path, &format!("{generics}{condition}{marks}"));
                for variant in &item.variants {
                    let name = format!("{path}::{}", variant.ident);
                    self.add("variant", &name, &format!("{}{}", payload(&variant.fields), self::marks(&variant.attrs)));
                }
            }
            Item::Trait(item) => {
                let (generics, condition) = parameters(&item.generics);
                let bounds = if item.supertraits.is_empty() { String::new() } else { format!(": {}", text(&item.supertraits)) };
                self.add("trait", path, &format!("{generics}{bounds}{condition}{marks}"));
                for item in &item.items {
                    match item {
                        TraitItem::Fn(item) => {
                            let provided = if item.default.is_some() { " [provided]" } else { "" };
                            self.add_function(&format!("{path}::{}", item.sig.ident), &item.sig, provided);
                        }
                        TraitItem::Type(item) => self.add("type", &format!("{path}::{}", item.ident), ""),
                        TraitItem::Const(item) => {
                            self.add("const", &format!("{path}::{}", item.ident), &format!(": {}", text(&item.ty)));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the methods and the implemented traits of all public types.
    fn add_implementations(&mut self) {
        let crates = self.crates;
        for (krate, (module, contents)) in
            crates.iter().enumerate().flat_map(|(i, krate)| krate.modules.iter().map(move |m| (i, m)))
        {
            for item in &contents.items {
                let Item::Impl(item) = item else { continue };
                let Some((target, shown)) = target(&item.self_ty) else { continue };
                let Some(location) = resolve(crates, krate, module, &target) else { continue };
                for path in self.paths.get(&location).cloned().unwrap_or_default() {
                    match &item.trait_ {
                        None => self.add_methods(item, &path),
                        Some((of, _)) => {
                            let names: Vec<String> = of.segments.iter().map(|segment| segment.ident.to_string()).collect();
                            let own = resolve(crates, krate, module, &names);
                            // A private trait adds nothing that a user could name.
                            if own.is_none_or(|own| self.paths.contains_key(&own)) {
                                self.add_trait(item, &text(&of.segments.last()), &path, &shown);
                            }
                        }
                    }
                }
            }
        }
    }

    fn add_methods(&mut self, item: &ItemImpl, path: &str) {
        let (_, condition) = parameters(&item.generics);
        for member in &item.items {
            match member {
                ImplItem::Fn(member) if is_public(&member.vis) && !is_for_tests(&member.attrs) => {
                    self.add_function(&format!("{path}::{}", member.sig.ident), &member.sig, &condition);
                }
                ImplItem::Const(member) if is_public(&member.vis) => {
                    self.add("const", &format!("{path}::{}", member.ident), &format!(": {}", text(&member.ty)));
                }
                ImplItem::Macro(member) => panic!("{path}: a macro within an implementation: {}", text(&member.mac.path)),
                _ => {}
            }
        }
    }

    /// Adds `impl Trait for Type`; `shown` is the type as it is written.
    fn add_trait(&mut self, item: &ItemImpl, of: &str, path: &str, shown: &str) {
        let types = item.items.iter().filter_map(|member| match member {
            ImplItem::Type(member) => Some(format!("{} = {}", member.ident, text(&member.ty))),
            _ => None,
        });
        let types = types.collect::<Vec<_>>().join(", ");
        let (generics, condition) = parameters(&item.generics);
        let types = if types.is_empty() { types } else { format!(" [{types}]") };
        let line = format!("impl{generics} {of} for {}{condition}{types}", shown.replacen("Self", path, 1));
        // Sorts after the type and before its members.
        self.lines.insert((format!("{path} impl"), line));
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Generic parameters and the `where` clause.
fn parameters(generics: &Generics) -> (String, String) {
    let condition = generics.where_clause.as_ref().map_or(String::new(), |condition| format!(" {}", text(condition)));
    (text(generics), condition)
}

/// The fields of a variant.
fn payload(fields: &Fields) -> String {
    match fields {
        Fields::Unit => String::new(),
        Fields::Unnamed(fields) => {
            format!("({})", fields.unnamed.iter().map(|field| text(&field.ty)).collect::<Vec<_>>().join(", "))
        }
        Fields::Named(fields) => {
            let fields = fields.named.iter().map(|field| format!("{}: {}", text(&field.ident), text(&field.ty)));
            format!(" {{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Attributes that belong to the interface, and derived traits.
fn marks(attributes: &[Attribute]) -> String {
    let mut marks = String::new();
    for attribute in attributes {
        if attribute.path().is_ident("non_exhaustive") {
            marks += " [non_exhaustive]";
        } else if attribute.path().is_ident("doc") && text(&attribute.meta).contains("hidden") {
            marks += " [hidden]";
        } else if let (true, Ok(list)) = (attribute.path().is_ident("derive"), attribute.meta.require_list()) {
            marks += &format!(" [{}]", text(&list.tokens));
        }
    }
    marks
}

/// The path of the type of an implementation, and the type as it is written with `Self` for the
/// path. References count as the type that they refer to.
fn target(ty: &Type) -> Option<(Vec<String>, String)> {
    match ty {
        Type::Path(ty) => {
            let names = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let arguments = ty.path.segments.last().map(|segment| text(&segment.arguments)).unwrap_or_default();
            Some((names, format!("Self{arguments}")))
        }
        Type::Reference(reference) => {
            let (names, shown) = target(&reference.elem)?;
            let mut prefix = reference.clone();
            *prefix.elem = syn::parse_quote!(Self);
            Some((names, text(&prefix).replacen("Self", &shown, 1)))
        }
        Type::Group(group) => target(&group.elem),
        _ => None,
    }
}
