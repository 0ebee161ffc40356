import { Fragment } from 'react'
import { wordsBetween } from './differences.ts'

type AnswerDiffProps = {
  before: string
  after: string
  /** Leaves out the words of the other answer. Without it, both are in one text. */
  only?: 'before' | 'after'
}

/** Marks the words that only one of two answers has. */
export function AnswerDiff({ before, after, only }: AnswerDiffProps) {
  const left = { before: '+', after: '-' }
  return wordsBetween(before, after).map(({ sign, text }, index) => {
    if (only !== undefined && sign === left[only]) return null
    const Tag = sign === '-' ? 'del' : sign === '+' ? 'ins' : Fragment
    const look = sign === '-' ? 'text-muted' : 'font-semibold decoration-rail'
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text, which never move
      <Tag key={index} {...(sign === ' ' ? {} : { className: look })}>
        {text}
      </Tag>
    )
  })
}
