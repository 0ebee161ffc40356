/**
 * The element for a call (001-14). Both `tool_use` and `function_call` are read, but the model learns only this
 * one.
 */
export const callTag = 'tool_use'
/** The element around several parallel calls. */
export const parallelTag = 'parallel_tool_calls'
/** The element for a result. Only the server writes it. */
export const resultTag = 'functions_result'

/** The starts of all tags of this syntax. None is a prefix of another. */
export const openings = [
  `<${callTag}`,
  '<function_call',
  `<${parallelTag}`,
  `</${parallelTag}`,
  `<${resultTag}`
] as const

/**
 * Escapes the tags of this syntax in text of users and tools, so that it cannot forge a call or end a result.
 */
export const withoutTags = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*(?:tool_use|function_call|parallel_tool_calls|functions_result))/gi, '&lt;')
