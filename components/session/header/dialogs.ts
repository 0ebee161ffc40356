import { lazyPart } from '#components/ui/lazy-part.tsx'

// Most visits to a session do not open these dialogs.
export const GrantsDialog = lazyPart(async () => (await import('./grants.tsx')).GrantsDialog)
export const HandoffDialog = lazyPart(async () => (await import('./handoff-dialog.tsx')).HandoffDialog)
export const OobPolicyDialog = lazyPart(async () => (await import('./oob-policy.tsx')).OobPolicyDialog)
