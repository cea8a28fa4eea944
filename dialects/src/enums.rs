//! Enum attributes of the dialects, which `td/*/Enums.td` declares, as Rust's enums.

/// Declares an enum whose attribute is the number that TableGen gives a case, in 32 bits.
macro_rules! enum_attr {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $number:literal, $keyword:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$case_doc])* $case = $number,)*
        }

        impl $name {
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
                $crate::ir::Attr::int($crate::ir::Type::int(ctx, 32), self as i64)
            }

            /// The one that an attribute holds.
            pub fn of(attr: $crate::ir::Attr) -> Option<Self> {
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

/// Declares how an enum is written where no op of ours says which enum is meant: as an attribute of its dialect.
macro_rules! written_attr {
    ($name:ident, $mnemonic:literal) => {
        impl $name {
            /// As an attribute that says what it is.
            pub fn written(self, ctx: $crate::ir::Ctx) -> $crate::ir::Attr {
                let text = format!(concat!($mnemonic, "<{}>"), self.keyword());
                $crate::ir::Attr::parse(ctx, &text).expect("the dialect is loaded")
            }

            /// The one that such an attribute is.
            pub fn of_written(attr: $crate::ir::Attr) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                all.find(|case| case.written(attr.ctx()) == attr)
            }
        }
    };
}

pub(crate) use {enum_attr, written_attr};
