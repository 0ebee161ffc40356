import { Chunk } from '@waystation/protocol/session/event.ts'
import { ChatPost, ResumeChat } from '#lib/http/chat/post.ts'
import { operation } from '#lib/http/operation.ts'

export const chatOperations = {
  post: operation({
    id: 'postChat',
    method: 'POST',
    path: '/api/chat',
    summary: 'Post a chat from an AI SDK client and stream the response',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: ChatPost,
    answer: Chunk,
    stream: true,
    errors: [
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
    summary: 'Resume the stream of the running message; 204 if there is none',
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: ResumeChat,
    answer: Chunk,
    stream: true,
    errors: ['NOT_FOUND']
  })
}
