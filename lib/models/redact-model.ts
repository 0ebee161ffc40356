import type { LanguageModelV4, LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import type { Redaction } from '#lib/kernel/ports/redaction.ts'
import { eachText, redactText } from '#lib/kernel/redact.ts'

/**
 * The last position up to which text can be redacted now. In scripts without spaces between words, every
 * character ends a word.
 */
const boundaries = {
  word: /[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}](?=[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]*$)/u,
  line: /\n(?=[^\n]*$)/,
  block: /$^/
}

/**
 * Wraps a model so that the operator's redaction is applied to all output. The streamed text, the committed
 * text and the tool arguments are therefore the same. While text streams, the last word (or line, or block) is
 * held back until it is complete. The arguments of a call are sent in one piece.
 */
export function redactModel(model: LanguageModel, redaction: Redaction, workspaceId: string): LanguageModel {
  if (typeof model === 'string')
    throw new Error(`The output of "${model}" cannot be redacted, because it is only the name of a model.`)
  const redact = (text: string) =>
    text === '' ? '' : redactText(redaction, text, { kind: 'model', workspaceId })
  return wrapLanguageModel({
    model: model as LanguageModelV4,
    middleware: {
      async wrapStream({ doStream }) {
        const result = await doStream()
        return {
          ...result,
          stream: result.stream.pipeThrough(redactionStream(redact, boundaries[redaction.holdBack]))
        }
      }
    }
  })
}

function redactionStream(redact: (text: string) => string, boundary: RegExp): TransformStream<Part, Part> {
  /** The text held back, by block kind and ID. `inputs` collects the arguments of each call. */
  const heldBlocks = new Map<string, { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }>()
  const inputs = new Map<string, string>()
  /** The blocks whose text has changed. */
  const changed = new Set<string>()
  const redactBlock = (key: string, text: string) => {
    const redacted = redact(text)
    if (redacted !== text) changed.add(key)
    return redacted
  }
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta': {
          const key = `${part.type} ${part.id}`
          const text = (heldBlocks.get(key)?.delta ?? '') + part.delta
          const end = boundary.exec(text)
          const cut = end === null ? 0 : end.index + end[0].length
          heldBlocks.set(key, { type: part.type, id: part.id, delta: text.slice(cut) })
          if (cut > 0 || part.providerMetadata !== undefined)
            controller.enqueue({ ...part, delta: redactBlock(key, text.slice(0, cut)) })
          return
        }
        case 'text-end':
        case 'reasoning-end': {
          const key = `${part.type === 'text-end' ? 'text' : 'reasoning'}-delta ${part.id}`
          const heldBack = heldBlocks.get(key)
          heldBlocks.delete(key)
          if (heldBack !== undefined && heldBack.delta !== '')
            controller.enqueue({ ...heldBack, delta: redactBlock(key, heldBack.delta) })
          return controller.enqueue(changed.has(key) ? unsigned(part) : part)
        }
        case 'tool-input-delta':
          inputs.set(part.id, (inputs.get(part.id) ?? '') + part.delta)
          return
        case 'tool-input-end': {
          const input = inputs.get(part.id) ?? ''
          inputs.delete(part.id)
          if (input !== '')
            controller.enqueue({ type: 'tool-input-delta', id: part.id, delta: redactInput(input, redact) })
          return controller.enqueue(part)
        }
        case 'tool-call': {
          const input = redactInput(part.input, redact)
          const isChanged = input !== redactInput(part.input, text => text)
          return controller.enqueue({
            ...(isChanged && part.providerMetadata ? unsigned(part) : part),
            input
          })
        }
        case 'tool-result':
          return controller.enqueue({ ...part, result: eachText(part.result, redact) as typeof part.result })
        case 'source':
          return controller.enqueue(
            part.sourceType === 'url' && part.title !== undefined
              ? { ...part, url: redact(part.url), title: redact(part.title) }
              : part.sourceType === 'url'
                ? { ...part, url: redact(part.url) }
                : { ...part, title: redact(part.title) }
          )
        default:
          return controller.enqueue(part)
      }
    },
    // If the model stops in the middle of a block, send the rest of it.
    flush(controller) {
      for (const heldBack of heldBlocks.values())
        if (heldBack.delta !== '') controller.enqueue({ ...heldBack, delta: redact(heldBack.delta) })
    }
  })
}

/** Removes the provider's signature, which fits only the original text. The provider would reject the new one. */
const unsigned = <T extends Part>(part: T): T => ({ ...part, providerMetadata: {} })

/** Redacts the strings in JSON arguments. Invalid JSON is redacted as text and rejected later. */
function redactInput(input: string, redact: (text: string) => string): string {
  try {
    return JSON.stringify(eachText(JSON.parse(input), redact))
  } catch (error) {
    if (error instanceof SyntaxError) return redact(input)
    throw error
  }
}
