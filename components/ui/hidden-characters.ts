/** A piece of a text: its words, or one character that does not show, by its number (`U+202E`). */
export type Piece = { words: string } | { hidden: string }

/** Characters that are there and are not seen, turn what follows around, or only look like a space; not line ends and tabs. */
const unseen = /(?![\n\t ])[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}]/u
const each = new RegExp(`(${unseen.source})`, 'u')

/** Takes a text apart, so that whoever answers for it sees all of it. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(each)
    .filter(part => part !== '')
    .map(part => (unseen.test(part) ? { hidden: numberOf(part) } : { words: part }))

const numberOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
