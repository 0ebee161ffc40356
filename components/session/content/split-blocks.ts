const fence = /^ {0,3}(`{3,}|~{3,})/
const marker = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Cuts Markdown into blocks that can be rendered on their own, so that while text streams in only its last block is
 * parsed again. `splitBlocks(text).join('') === text`, and a block never changes once a later one has begun, as long
 * as text is only added. A text with link or footnote definitions, which reach across blocks, stays whole.
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

/** After a blank line: does this line begin a block, or does it belong to the list or the quoted code before it? */
function begins(block: string, line: string): boolean {
  if (block.trim() === '' || line.trim() === '') return false
  if (!marker.test(block)) return !/^(?: {4}|\t)/.test(line) || !/(?:^|\n)(?: {4}|\t)[^\n]*\n\s*$/.test(block)
  return !marker.test(line) && !/^(?: {2}|\t)/.test(line)
}
