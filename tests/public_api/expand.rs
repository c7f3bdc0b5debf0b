//! Expands macros that the crate declares with `macro_rules!`, so that the items they generate can
//! be read. Names are global and hygiene is ignored: item lists need neither.
use proc_macro2::{Delimiter, Group, Punct, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, HashMap};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, ItemMacro, Lit, Meta, Path, Result, Token, Type, Visibility};

/// The macros of a crate by name.
#[derive(Default)]
pub struct Macros(HashMap<String, Vec<Rule>>);

/// One rule of a macro: `(matcher) => { body };`.
struct Rule {
    matcher: Vec<Part>,
    body: Vec<Part>,
}

/// An element of a matcher or of a body.
enum Part {
    /// A token that matches itself.
    Token(TokenTree),
    Group(Delimiter, Vec<Part>),
    /// `$name` in a body, `$name:kind` in a matcher.
    Variable {
        name: String,
        kind: String,
    },
    /// `$(...)` with its separator and one of `*`, `+`, `?`.
    Repeat {
        parts: Vec<Part>,
        separator: Option<TokenTree>,
        operator: char,
    },
}

/// The value of a variable: its tokens, or one value per repetition.
#[derive(Clone)]
enum Value {
    One(TokenStream),
    Each(Vec<Bindings>),
}

/// The values of the variables of a rule, or of one repetition.
type Bindings = BTreeMap<String, Value>;

impl Macros {
    /// Adds a `macro_rules!` definition.
    pub fn define(&mut self, name: &Ident, item: &ItemMacro) {
        let rules = rules.parse2(item.mac.tokens.clone()).unwrap_or_else(|error| panic!("macro {name}: {error}"));
        self.0.insert(name.to_string(), rules);
    }

    /// The expansion of `name! { input }`, if the crate declares the macro.
    pub fn expand(&self, path: &Path, input: &TokenStream) -> Option<TokenStream> {
        let name = path.segments.last()?.ident.to_string();
        let rules = self.0.get(&name)?;
        for Rule { matcher, body } in rules {
            let mut bindings = Bindings::new();
            let parser = |input: ParseStream| bind(matcher, input, &mut bindings);
            if parser.parse2(input.clone()).is_ok() {
                return Some(transcribe(body, &[&bindings]));
            }
        }
        panic!("no rule of {name}! matches: {input}");
    }
}

/// The rules of a definition.
fn rules(input: ParseStream) -> Result<Vec<Rule>> {
    let mut rules = vec![];
    while !input.is_empty() {
        let matcher = input.parse::<Group>()?;
        input.parse::<Token![=>]>()?;
        let body = input.parse::<Group>()?;
        input.parse::<Option<Token![;]>>()?;
        let parse = |group: Group, is_matcher| (|input: ParseStream| parts(input, is_matcher)).parse2(group.stream());
        rules.push(Rule { matcher: parse(matcher, true)?, body: parse(body, false)? });
    }
    Ok(rules)
}

/// The elements of a matcher or a body.
fn parts(input: ParseStream, is_matcher: bool) -> Result<Vec<Part>> {
    let inside = |group: &Group| (|input: ParseStream| parts(input, is_matcher)).parse2(group.stream());
    let mut found = vec![];
    while !input.is_empty() {
        found.push(if input.peek(Token![$]) && input.peek2(syn::token::Paren) {
            input.parse::<Token![$]>()?;
            let group = input.parse::<Group>()?;
            let is_operator = |input: ParseStream| input.peek(Token![*]) || input.peek(Token![+]) || input.peek(Token![?]);
            let separator = if is_operator(input) { None } else { Some(input.parse::<TokenTree>()?) };
            let operator = input.parse::<Punct>()?.as_char();
            Part::Repeat { parts: inside(&group)?, separator, operator }
        } else if input.peek(Token![$]) {
            input.parse::<Token![$]>()?;
            let name = Ident::parse_any(input)?.to_string();
            let mut kind = String::new();
            if is_matcher {
                input.parse::<Token![:]>()?;
                kind = Ident::parse_any(input)?.to_string();
            }
            Part::Variable { name, kind }
        } else {
            match input.parse::<TokenTree>()? {
                TokenTree::Group(group) => Part::Group(group.delimiter(), inside(&group)?),
                token => Part::Token(token),
            }
        });
    }
    Ok(found)
}

/// Consumes a fragment.
fn fragment(kind: &str, input: ParseStream) -> Result<TokenStream> {
    Ok(match kind {
        "ident" => Ident::parse_any(input)?.into_token_stream(),
        "literal" => {
            let minus = input.parse::<Option<Token![-]>>()?.into_token_stream();
            [minus, input.parse::<Lit>()?.into_token_stream()].into_iter().collect()
        }
        "ty" => input.parse::<Type>()?.into_token_stream(),
        "meta" => input.parse::<Meta>()?.into_token_stream(),
        "expr" => input.parse::<Expr>()?.into_token_stream(),
        "block" | "tt" => input.parse::<TokenTree>()?.into(),
        "vis" => input.parse::<Visibility>()?.into_token_stream(),
        _ => return Err(input.error("an unknown kind of fragment")),
    })
}

/// Consumes `input` by a matcher and stores the values of its variables.
fn bind(matcher: &[Part], input: ParseStream, bindings: &mut Bindings) -> Result<()> {
    for part in matcher {
        match part {
            Part::Token(token) => expect(token, input)?,
            Part::Group(delimiter, parts) => {
                let group = input.parse::<Group>()?;
                if group.delimiter() != *delimiter {
                    return Err(Error::new(group.span(), "another delimiter"));
                }
                (|inner: ParseStream| bind(parts, inner, bindings)).parse2(group.stream())?;
            }
            Part::Variable { name, kind } => {
                bindings.insert(name.clone(), Value::One(fragment(kind, input)?));
            }
            Part::Repeat { parts, separator, operator } => {
                let mut each = vec![];
                while !input.is_empty() && (*operator != '?' || each.is_empty()) {
                    let ahead = input.fork();
                    let mut inner = Bindings::new();
                    let separator = separator.as_ref().filter(|_| !each.is_empty());
                    let found = separator.map_or(Ok(()), |token| expect(token, &ahead));
                    if found.and_then(|()| bind(parts, &ahead, &mut inner)).is_err() {
                        break;
                    }
                    syn::parse::discouraged::Speculative::advance_to(input, &ahead);
                    each.push(inner);
                }
                if *operator == '+' && each.is_empty() {
                    return Err(input.error("nothing for a repetition"));
                }
                for name in variables(parts) {
                    bindings.insert(name, Value::Each(each.clone()));
                }
            }
        }
    }
    Ok(())
}

/// Consumes the given token.
fn expect(token: &TokenTree, input: ParseStream) -> Result<()> {
    let found = input.parse::<TokenTree>()?;
    let is_equal = found.to_string() == token.to_string();
    if is_equal { Ok(()) } else { Err(Error::new(found.span(), "another token")) }
}

/// The names of all variables in `parts`.
fn variables(parts: &[Part]) -> Vec<String> {
    let names = parts.iter().map(|part| match part {
        Part::Token(_) => vec![],
        Part::Variable { name, .. } => vec![name.clone()],
        Part::Group(_, parts) | Part::Repeat { parts, .. } => variables(parts),
    });
    names.collect::<Vec<_>>().concat()
}

/// The tokens of a body. `scopes` are the bindings of the rule and of the repetitions around the
/// body, outermost first.
fn transcribe(body: &[Part], scopes: &[&Bindings]) -> TokenStream {
    let lookup = |name: &str| scopes.iter().rev().find_map(|bindings| bindings.get(name));
    let mut out = TokenStream::new();
    for part in body {
        match part {
            Part::Token(token) => out.extend([token.clone()]),
            Part::Group(delimiter, parts) => {
                out.extend([TokenTree::from(Group::new(*delimiter, transcribe(parts, scopes)))]);
            }
            Part::Variable { name, .. } => match lookup(name) {
                Some(Value::One(tokens)) => out.extend(tokens.clone()),
                // `$crate`.
                _ => out.extend(name.parse::<TokenStream>()),
            },
            Part::Repeat { parts, separator, .. } => {
                let repeated = variables(parts).iter().find_map(|name| match lookup(name) {
                    Some(Value::Each(each)) => Some(each),
                    _ => None,
                });
                for (i, bindings) in repeated.into_iter().flatten().enumerate() {
                    out.extend(separator.clone().filter(|_| i > 0));
                    out.extend(transcribe(parts, &[scopes, &[bindings]].concat()));
                }
            }
        }
    }
    out
}
