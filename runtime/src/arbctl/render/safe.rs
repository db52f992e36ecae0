//! Text from files and names, made safe for a terminal: no control character and no character that reorders or hides
//! text reaches it.

/// One line: line breaks are shown as escapes, too.
#[must_use]
pub(crate) fn line(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Control characters, bidirectional overrides and isolates (Unicode Standard Annex 9), marks without width that
/// hide text, line and paragraph separators, tags and noncharacters' neighbours.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00ad}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}
