import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import { useDraft } from '#components/browser/drafts.ts'

type Active = { on: boolean; item?: AttachedItem | undefined }

const nothing: Active = { on: false }

/** The active item of this session in this browser, and whether it is sent with messages (default: off). */
export const useActiveItem = (sessionId: string) => useDraft<Active>(sessionId, 'active', nothing)
