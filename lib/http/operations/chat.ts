import { ChatPost, ResumeChat } from '#lib/http/chat/post.ts'
import { operation } from '#lib/http/operation.ts'
import { Chunk } from '#lib/protocol/event.ts'

export const chatOperations = {
  post: operation({
    id: 'postChat',
    method: 'POST',
    path: '/api/chat',
    summary: 'What a stock AI SDK client posts: takes what is new of it, and answers a UI message stream',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: ChatPost,
    answer: Chunk,
    stream: true,
    refusals: [
      'NOT_FOUND',
      'INVALID_SESSION_ID',
      'SESSION_AGENT_MISMATCH',
      'AGENT_NOT_FOUND',
      'EMPTY_MESSAGE',
      'SESSION_BUSY',
      'CONFLICT',
      'TOO_LARGE'
    ]
  }),
  resume: operation({
    id: 'resumeChat',
    method: 'GET',
    path: '/api/chat/{sessionId}/stream',
    summary: 'The running message from its start, as a UI message stream; 204 when nothing runs',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: ResumeChat,
    answer: Chunk,
    stream: true,
    refusals: ['NOT_FOUND']
  })
}
