//! Words of the forge: closed where we know them, open where we do not.

/// An enum over words of the forge with an arm for those that nobody knows yet: it keeps the word, and whoever judges
/// has to say what it means (unknown is not pass).
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$arm_about:meta])* $arm:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$arm_about])* #[doc = concat!("`", $word, "`")] $arm,)*
            /// A word that this version does not know.
            Other(String),
        }

        impl $name {
            /// The word.
            #[must_use]
            pub fn word(&self) -> &str {
                match self {
                    $(Self::$arm => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $($word => Self::$arm,)*
                    _ => Self::Other(word),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from).map(Self::from)
            }
        }
    };
}
pub(super) use words;
