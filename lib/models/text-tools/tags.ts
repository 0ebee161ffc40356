/** What a call is written as (001-14); either is read, the first is what the model is told. */
export const callTag = 'tool_use'
/** Around several calls that are made at once. */
export const severalTag = 'parallel_tool_calls'
/** What a result is written as; only the system writes it. */
export const resultTag = 'functions_result'

/** What begins a tag of this protocol; none of them begins another. */
export const openings = [
  `<${callTag}`,
  '<function_call',
  `<${severalTag}`,
  `</${severalTag}`,
  `<${resultTag}`
] as const

/** Text of others (people, tools), in which no tag of this protocol can be forged: neither a call, nor the end of a result. */
export const withoutTags = (text: string): string =>
  text.replace(/<(?=\s*\/?\s*(?:tool_use|function_call|parallel_tool_calls|functions_result))/gi, '&lt;')
