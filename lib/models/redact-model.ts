import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { eachText, type Redaction, redactText } from '#lib/kernel/redact.ts'

/** The end of what can be redacted by now. Scripts without spaces between words end one with each character. */
const borders = {
  word: /[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}](?=[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]*$)/u,
  line: /\n(?=[^\n]*$)/,
  block: /$^/
}

/**
 * A model whose answers have passed the operator's redaction before anybody sees them: what is streamed, what is committed
 * and what its tools are called with are the same text. Of words that stream, the last one (or line, or block) is held back
 * until it is whole; the arguments of a call come in one piece.
 */
export function redactModel(model: LanguageModel, redaction: Redaction, workspaceId: string): LanguageModel {
  if (typeof model === 'string')
    throw new Error(`The output of "${model}" cannot be redacted, because it is only the name of a model.`)
  const clean = (text: string) =>
    text === '' ? '' : redactText(redaction, text, { kind: 'model', workspaceId })
  return wrapLanguageModel({
    model: model as LanguageModelV4,
    middleware: {
      async wrapStream({ doStream }) {
        const result = await doStream()
        return { ...result, stream: result.stream.pipeThrough(redacting(clean, borders[redaction.holdBack])) }
      }
    }
  })
}

function redacting(clean: (text: string) => string, border: RegExp): TransformStream<Part, Part> {
  /** What is held back of each open block, by its kind and ID; and of each call's arguments. */
  const held = new Map<string, { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }>()
  const inputs = new Map<string, string>()
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta': {
          const key = `${part.type} ${part.id}`
          const text = (held.get(key)?.delta ?? '') + part.delta
          const end = border.exec(text)
          const cut = end === null ? 0 : end.index + end[0].length
          held.set(key, { type: part.type, id: part.id, delta: text.slice(cut) })
          if (cut > 0 || part.providerMetadata !== undefined)
            controller.enqueue({ ...part, delta: clean(text.slice(0, cut)) })
          return
        }
        case 'text-end':
        case 'reasoning-end': {
          const key = `${part.type === 'text-end' ? 'text' : 'reasoning'}-delta ${part.id}`
          const rest = held.get(key)
          held.delete(key)
          if (rest !== undefined && rest.delta !== '')
            controller.enqueue({ ...rest, delta: clean(rest.delta) })
          return controller.enqueue(part)
        }
        case 'tool-input-delta':
          inputs.set(part.id, (inputs.get(part.id) ?? '') + part.delta)
          return
        case 'tool-input-end': {
          const input = inputs.get(part.id) ?? ''
          inputs.delete(part.id)
          if (input !== '')
            controller.enqueue({ type: 'tool-input-delta', id: part.id, delta: cleanInput(input, clean) })
          return controller.enqueue(part)
        }
        case 'tool-call':
          return controller.enqueue({ ...part, input: cleanInput(part.input, clean) })
        case 'tool-result':
          return controller.enqueue({ ...part, result: eachText(part.result, clean) as typeof part.result })
        case 'source':
          return controller.enqueue(
            part.sourceType === 'url' && part.title !== undefined
              ? { ...part, url: clean(part.url), title: clean(part.title) }
              : part.sourceType === 'url'
                ? { ...part, url: clean(part.url) }
                : { ...part, title: clean(part.title) }
          )
        default:
          return controller.enqueue(part)
      }
    },
    // A model that breaks off in the middle of a block: what there is of it is shown.
    flush(controller) {
      for (const rest of held.values())
        if (rest.delta !== '') controller.enqueue({ ...rest, delta: clean(rest.delta) })
    }
  })
}

/** Arguments are JSON; what is not will be refused as such, and is text until then. */
function cleanInput(input: string, clean: (text: string) => string): string {
  try {
    return JSON.stringify(eachText(JSON.parse(input), clean))
  } catch (error) {
    if (error instanceof SyntaxError) return clean(input)
    throw error
  }
}
