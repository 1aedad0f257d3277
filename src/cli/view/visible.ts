/** Text from outside as it may be printed: control codes are shown, not obeyed. */

// Control characters, and the format characters that turn the direction of text.
const DANGEROUS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from names, logs and errors as it may be printed on one line. */
export function visible(text: string): string {
  return text.replace(DANGEROUS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 64)}`;
    if (code === 0x7f) return '^?';
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
