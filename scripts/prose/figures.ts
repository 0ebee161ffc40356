import type { Sentence } from './block.ts'

/** A figure of the documentation: a share of its sentences or an average of words, with its limit. */
type Figure = { name: string; of(sentences: Sentence[]): number; atMost?: number; atLeast?: number }

const shareOf = (sentences: Sentence[], has: RegExp): number =>
  sentences.filter(({ text }) => has.test(text)).length / Math.max(1, sentences.length)

/** Verbs at the start of instructions. A sentence that starts with one of them is an imperative. */
const verbs =
  "add|allow|answer|append|apply|approve|ask|assert|attach|avoid|back|build|call|cancel|change|check|choose|click|clone|close|compare|configure|confirm|connect|copy|create|declare|define|delete|deploy|describe|disable|do|don’t|don't|download|drop|edit|enable|enter|expect|export|find|fix|follow|generate|get|give|go|grant|handle|import|include|increase|inspect|install|invite|keep|kill|leave|let|limit|link|list|listen|load|look|lower|make|map|mark|measure|migrate|mount|move|name|never|note|omit|open|page|pass|paste|pick|pin|place|plan|point|poll|post|prefer|press|print|publish|pull|push|put|raise|read|reconnect|reload|remember|remove|rename|replace|report|request|reset|restart|restore|retry|return|revoke|rotate|run|save|scale|search|see|select|send|serve|set|share|show|sign|skip|sort|start|stop|store|stream|subscribe|switch|take|tell|test|treat|try|turn|type|update|upgrade|use|verify|view|visit|wait|watch|wire|wrap|write"

const figures: Figure[] = [
  {
    name: 'mean words a sentence',
    of: all => all.reduce((sum, { words }) => sum + words, 0) / Math.max(1, all.length),
    atMost: 15
  },
  {
    name: 'something, nothing, someone, anyone, no one',
    of: all => shareOf(all, /\b(?:something|nothing|someone|anyone|no one)\b/i),
    atMost: 0.02
  },
  { name: 'told, tells', of: all => shareOf(all, /\b(?:told|tells)\b/i), atMost: 0.005 },
  {
    name: 'starts with What, Who, Which or Where',
    of: all => shareOf(all, /^(?:What|Who|Which|Where)\b(?!.*\?["”)]*$)/),
    atMost: 0.005
  },
  {
    name: 'starts with an imperative',
    of: all => shareOf(all, new RegExp(`^(?:${verbs})\\b`, 'i')),
    atLeast: 0.1
  },
  { name: 'you, your', of: all => shareOf(all, /\byou(?:r|rs|’\w+|'\w+)?\b/i), atLeast: 0.08 }
]

/**
 * Returns each figure as a line and whether its limit is kept. Uses only paragraphs and lists, and sentences of at
 * least five words.
 */
export function figuresOf(sentences: Sentence[]): { line: string; met: boolean }[] {
  const counted = sentences.filter(({ kind, words }) => kind === 'docs' && words >= 5)
  return figures.map(({ name, of, atMost = Number.POSITIVE_INFINITY, atLeast = 0 }) => {
    const value = of(counted)
    const show = (number: number) => (number > 1 ? number.toFixed(1) : `${(number * 100).toFixed(1)} %`)
    const limit = atMost < Number.POSITIVE_INFINITY ? `at most ${show(atMost)}` : `at least ${show(atLeast)}`
    return { line: `${name}: ${show(value)} (${limit})`, met: value <= atMost && value >= atLeast }
  })
}
