//! Enum attributes, which TableGen declares, as Rust's enums.

use crate::ir::{Attr, Ctx, Type};

/// The attribute that holds an enum.
#[derive(Clone, Copy)]
pub enum Form {
    /// An integer of so many bits.
    Integer(u32),
    /// One that says what it is: what its text has before and after the keyword.
    Written(&'static str, &'static str),
}

impl Form {
    /// The attribute of a number and its keyword.
    pub fn attr(self, ctx: Ctx, number: i64, keyword: &str) -> Attr {
        match self {
            Self::Integer(bits) => Attr::int(Type::int(ctx, bits), number),
            Self::Written(before, after) => {
                let text = format!("{before}{keyword}{after}");
                Attr::parse(ctx, &text).unwrap_or_else(|| panic!("{text} is no attribute"))
            }
        }
    }

    /// The keyword in an attribute that says what it is.
    pub fn keyword(self, attr: Attr) -> Option<String> {
        match self {
            Self::Integer(_) => None,
            Self::Written(before, after) => {
                let text = attr.to_string();
                let keyword = text.strip_prefix(before)?.strip_suffix(after)?;
                Some(keyword.to_string())
            }
        }
    }
}

/// Declares an enum of which an attribute holds one case, and the attribute's form.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident, $form:ident($($of_form:expr),*) {
        $($(#[$case_doc:meta])* $case:ident = $number:literal, $keyword:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i64)]
        pub enum $name {
            $($(#[$case_doc])* $case = $number,)*
        }

        impl $name {
            const FORM: $crate::enums::Form = $crate::enums::Form::$form($($of_form),*);

            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// How it is written.
            pub fn keyword(self) -> &'static str {
                match self {
                    $(Self::$case => $keyword,)*
                }
            }

            /// The one that is written so.
            pub fn named(keyword: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.keyword() == keyword)
            }

            /// As an attribute.
            pub fn attr(self, ctx: $crate::ir::Ctx) -> $crate::ir::Attr {
                Self::FORM.attr(ctx, self as i64, self.keyword())
            }

            /// The one that an attribute holds.
            pub fn of(attr: $crate::ir::Attr) -> Option<Self> {
                if let $crate::enums::Form::Written(..) = Self::FORM {
                    return Self::named(&Self::FORM.keyword(attr)?);
                }
                let number = attr.as_i64()?;
                Self::ALL.iter().copied().find(|case| *case as i64 == number)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.keyword())
            }
        }
    };
}

/// Declares a set of flags, the attribute's form, and what stands between the keywords of flags.
macro_rules! flags {
    ($(#[$doc:meta])* $name:ident, $form:ident($($of_form:expr),*), $separator:literal {
        $($(#[$case_doc:meta])* $case:ident = $number:literal, $keyword:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(i64);

        impl $name {
            const FORM: $crate::enums::Form = $crate::enums::Form::$form($($of_form),*);

            $($(#[$case_doc])* pub const $case: Self = Self($number);)*

            const KEYWORDS: &[(i64, &str)] = &[$(($number, $keyword)),*];

            /// Whether all flags of another set are in this one.
            pub fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether there are no flags.
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// These flags without those of another set.
            pub fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// As an attribute.
            pub fn attr(self, ctx: $crate::ir::Ctx) -> $crate::ir::Attr {
                let text = $crate::enums::keywords(Self::KEYWORDS, self.0, $separator);
                Self::FORM.attr(ctx, self.0, &text)
            }

            /// The ones that an attribute holds.
            pub fn of(attr: $crate::ir::Attr) -> Option<Self> {
                if let $crate::enums::Form::Written(..) = Self::FORM {
                    let text = Self::FORM.keyword(attr)?;
                    return $crate::enums::number(Self::KEYWORDS, &text, $separator).map(Self);
                }
                attr.as_i64().map(Self)
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }
    };
}

/// The keywords of a set of flags: the one for the whole set, or those of its flags.
pub fn keywords(known: &[(i64, &str)], flags: i64, separator: &str) -> String {
    if let Some((_, keyword)) = known.iter().find(|(number, _)| *number == flags) {
        return (*keyword).to_string();
    }
    let is_flag = |number: i64| number.count_ones() == 1 && flags & number != 0;
    let parts = known.iter().filter(|(number, _)| is_flag(*number));
    let parts: Vec<&str> = parts.map(|(_, keyword)| *keyword).collect();
    parts.join(separator.trim())
}

/// The set of flags with these keywords.
pub fn number(known: &[(i64, &str)], text: &str, separator: &str) -> Option<i64> {
    let mut flags = 0;
    for part in text.split(separator.trim()) {
        let (number, _) = known.iter().find(|(_, keyword)| *keyword == part.trim())?;
        flags |= number;
    }
    Some(flags)
}

/// Declares an enum of ours, whose attribute is the number that TableGen gives a case, in 32 bits.
macro_rules! enum_attr {
    ($(#[$doc:meta])* $name:ident { $($cases:tt)* }) => {
        $crate::enums::choice! { $(#[$doc])* $name, Integer(32) { $($cases)* } }
    };
}

/// Declares how an enum is written where no op of ours says which enum is meant: as an attribute of its dialect.
macro_rules! written_attr {
    ($name:ident, $mnemonic:literal) => {
        impl $name {
            const WRITTEN: $crate::enums::Form =
                $crate::enums::Form::Written(concat!($mnemonic, "<"), ">");

            /// As an attribute that says what it is.
            pub fn written(self, ctx: $crate::ir::Ctx) -> $crate::ir::Attr {
                Self::WRITTEN.attr(ctx, self as i64, self.keyword())
            }

            /// The one that such an attribute is.
            pub fn of_written(attr: $crate::ir::Attr) -> Option<Self> {
                Self::named(&Self::WRITTEN.keyword(attr)?)
            }
        }
    };
}

pub(crate) use {choice, enum_attr, flags, written_attr};
