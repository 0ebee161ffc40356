/** A piece of a text: visible text, or the code point of one hidden character (`U+202E`). */
export type Piece = { words: string } | { hidden: string }

/** Characters that are invisible, change the direction or look like a space, except line breaks and tabs. */
const unseen = /(?![\n\t ])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}]/u
const each = new RegExp(`(${unseen.source})`, 'u')

/** Splits a text into visible text and hidden characters, so that an approver sees all of it. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(each)
    .filter(part => part !== '')
    .map(part => (unseen.test(part) ? { hidden: numberOf(part) } : { words: part }))

const numberOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
