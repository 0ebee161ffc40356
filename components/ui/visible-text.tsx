import { piecesOf } from './hidden-characters.ts'

/** Shows untrusted text. Each hidden character appears as its code point. */
export function VisibleText({ text }: { text: string }) {
  let at = 0
  return piecesOf(text).map(piece =>
    'hidden' in piece ? (
      <mark key={at++} className="rounded-sm border border-fail bg-transparent px-0.5 text-fail">
        {piece.hidden}
      </mark>
    ) : (
      piece.words
    )
  )
}
