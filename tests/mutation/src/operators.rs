//! The mutants of single expressions and function bodies.
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, ReturnType, Type, UnOp};

/// Methods that replace each other, of integers and iterators.
const METHODS: [(&str, usize, &str); 7] = [
    ("any", 1, "all"),
    ("all", 1, "any"),
    ("is_some", 0, "is_none"),
    ("is_none", 0, "is_some"),
    ("is_some_and", 1, "is_none_or"),
    ("is_none_or", 1, "is_some_and"),
    ("wrapping_sub", 1, "wrapping_add"),
];

/// Methods without which an expression has the same type, and their number of arguments.
const REMOVED: [(&str, usize); 9] = [
    ("max", 1),
    ("min", 1),
    ("clamp", 2),
    ("abs", 0),
    ("saturating_sub", 1),
    ("saturating_add", 1),
    ("div_ceil", 1),
    ("rev", 0),
    ("or", 1),
];

/// Vector operations that replace each other.
const VECTORS: [(&str, usize, &str); 33] = [
    ("add", 2, "add_saturating"),
    ("add16", 2, "sub16"),
    ("sub16", 2, "add16"),
    ("add32", 2, "sub32"),
    ("sub32", 2, "add32"),
    ("mul32", 2, "add32"),
    ("add_saturating", 2, "sub_saturating"),
    ("sub_saturating", 2, "add_saturating"),
    ("add_saturating16", 2, "add16"),
    ("sub_saturating16", 2, "sub16"),
    ("and", 2, "or"),
    ("or", 2, "and"),
    ("xor", 2, "or"),
    ("and16", 2, "or16"),
    ("or16", 2, "and16"),
    ("min", 2, "max"),
    ("max", 2, "min"),
    ("min15", 2, "max15"),
    ("max15", 2, "min15"),
    ("mul_low", 2, "mul_high"),
    ("mul_high", 2, "mul_low"),
    ("even", 1, "odd"),
    ("odd", 1, "even"),
    ("avg", 2, "avg_up"),
    ("avg_up", 2, "avg"),
    ("ge", 2, "eq"),
    ("interleave_low", 2, "interleave_high"),
    ("interleave_high", 2, "interleave_low"),
    ("interleave_low16", 2, "interleave_high16"),
    ("interleave_high16", 2, "interleave_low16"),
    ("widen_low", 1, "widen_high"),
    ("widen_high", 1, "widen_low"),
    ("eq16", 2, "gt15"),
];

/// A mutant of an expression: where it differs, a description, and its text.
pub type Changed = (usize, String, String);

/// The mutants of an expression.
pub fn mutants(text: &str, expr: &Expr) -> Vec<Changed> {
    let whole = expr.span().byte_range();
    let replace =
        |part: Range<usize>, new: &str| format!("{}{new}{}", &text[whole.start..part.start], &text[part.end..whole.end]);
    match expr {
        Expr::Binary(binary) if !has_let(expr) => {
            let op = binary.op.span().byte_range();
            let others = operators(&binary.op).iter();
            others.map(|new| (op.start, format!("{} -> {new}", &text[op.clone()]), replace(op.clone(), new))).collect()
        }
        Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
            let op = unary.op.span().byte_range();
            vec![(op.start, format!("{} removed", &text[op.clone()]), replace(op, ""))]
        }
        Expr::Lit(syn::ExprLit { lit: Lit::Int(number), .. }) => {
            let Ok(value) = number.base10_parse::<u128>() else { return vec![] };
            let others = [value.checked_add(1), value.checked_sub(1)].into_iter().flatten();
            others.map(|new| (whole.start, format!("{value} -> {new}"), format!("{new}{}", number.suffix()))).collect()
        }
        Expr::Lit(syn::ExprLit { lit: Lit::Bool(value), .. }) => {
            vec![(whole.start, format!("{} -> {}", value.value, !value.value), (!value.value).to_string())]
        }
        Expr::MethodCall(call) => {
            let (name, count) = (call.method.to_string(), call.args.len());
            let method = call.method.span().byte_range();
            let (at, mut found) = (method.start, vec![]);
            for (_, _, new) in METHODS.iter().chain(&VECTORS).filter(|(old, args, _)| (*old, *args) == (&name, count)) {
                found.push((at, format!("{name} -> {new}"), replace(method.clone(), new)));
            }
            if REMOVED.contains(&(&name, count)) {
                let receiver = call.receiver.span().byte_range();
                found.push((at, format!("{name} removed"), text[receiver].to_owned()));
            }
            if name == "is_empty" && count == 0 {
                found.push((at, "is_empty negated".to_owned(), format!("!{}", &text[whole.clone()])));
            }
            // Iterators: the other extreme.
            for (old, new) in [("max", "min"), ("min", "max"), ("max_by_key", "min_by_key"), ("min_by_key", "max_by_key")] {
                if name == old && count == usize::from(old.contains('_')) {
                    found.push((at, format!("{old} -> {new}"), replace(method.clone(), new)));
                }
            }
            if let Some(shift) = call.turbofish.as_ref().filter(|_| ["shl", "shr", "sra", "sra32"].contains(&name.as_str())) {
                let shift = shift.args.span().byte_range();
                if let Ok(value) = text[shift.clone()].parse::<u32>() {
                    found.push((at, format!("{name}: {value} -> {}", value + 1), replace(shift, &(value + 1).to_string())));
                }
            }
            found
        }
        _ => vec![],
    }
}

/// The negation of a condition; none if its other mutants cover it.
pub fn negation(text: &str, condition: &Expr) -> Vec<Changed> {
    if has_let(condition) || matches!(condition, Expr::Binary(_) | Expr::Unary(_)) {
        return vec![];
    }
    let range = condition.span().byte_range();
    vec![(range.start, "condition negated".to_owned(), format!("!({})", &text[range]))]
}

/// Whether an expression is a chain with `let`, which only `if` and `while` may contain.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The operators that replace an operator.
fn operators(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["/"],
        BinOp::Div(_) => &["*"],
        BinOp::Rem(_) => &["/"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::BitXor(_) => &["|"],
        BinOp::BitAnd(_) => &["|"],
        BinOp::BitOr(_) => &["&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) => &["/="],
        BinOp::DivAssign(_) => &["*="],
        BinOp::BitXorAssign(_) => &["|="],
        BinOp::BitAndAssign(_) => &["|="],
        BinOp::BitOrAssign(_) => &["&="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// Values that a function of this type may return at once.
pub fn returned(output: &ReturnType) -> Vec<&'static str> {
    let ty = match output {
        ReturnType::Default => return vec!["()"],
        ReturnType::Type(_, ty) => ty,
    };
    let Type::Path(path) = &**ty else { return vec![] };
    let Some(last) = path.path.segments.last() else { return vec![] };
    match last.ident.to_string().as_str() {
        "bool" => vec!["true", "false"],
        "Option" => vec!["None"],
        "String" => vec!["String::new()"],
        "Vec" => vec!["vec![]"],
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" => vec!["0", "1"],
        "Result" => match &last.arguments {
            syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                Some(syn::GenericArgument::Type(Type::Tuple(unit))) if unit.elems.is_empty() => vec!["Ok(())"],
                _ => vec![],
            },
            _ => vec![],
        },
        _ => vec![],
    }
}
