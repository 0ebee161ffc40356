import { Fragment } from 'react'
import { wordsBetween } from './differences.ts'

type AnswerDiffProps = {
  before: string
  after: string
  only: 'before' | 'after'
}

/** One of two answers. The words that the other one does not have are marked. */
export function AnswerDiff({ before, after, only }: AnswerDiffProps) {
  return wordsBetween(before, after).map(({ sign, text }, index) => {
    if (sign === (only === 'before' ? '+' : '-')) return null
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
