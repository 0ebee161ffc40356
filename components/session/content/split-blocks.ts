const fence = /^ {0,3}(`{3,}|~{3,})/
const marker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Splits Markdown into blocks that can be rendered separately, so that only the last block is parsed again
 * while text streams in. `splitBlocks(text).join('') === text`. If text is only appended, a block does not
 * change once a later one exists. A text with link definitions is one block, because definitions apply to all
 * blocks.
 */
export function splitBlocks(text: string): string[] {
  if (definition.test(text)) return [text]
  const blocks: string[] = []
  let block = ''
  let open: string | undefined
  let blank = false
  for (const line of text.split(/(?<=\n)/)) {
    if (open === undefined && blank && begins(block, line)) {
      blocks.push(block)
      block = ''
    }
    const found = fence.exec(line)?.[1]
    if (open === undefined) open = found
    else if (
      found !== undefined &&
      found[0] === open[0] &&
      found.length >= open.length &&
      line.trim() === found
    )
      open = undefined
    blank = line.trim() === ''
    block += line
  }
  if (block !== '') blocks.push(block)
  return blocks
}

/** Tells whether a line after a blank one starts a new block, or continues a list or indented code. */
function begins(block: string, line: string): boolean {
  if (block.trim() === '' || line.trim() === '') return false
  if (!marker.test(block)) return !/^(?: {4}|\t)/.test(line) || !/(?:^|\n)(?: {4}|\t)[^\n]*\n\s*$/.test(block)
  return !marker.test(line) && !/^(?: {2}|\t)/.test(line)
}
