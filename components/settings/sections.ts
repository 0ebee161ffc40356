/** The sections of the settings: the last part of their URL, and their name. */
const groups = [
  { label: 'You', sections: { profile: 'Profile' } },
  {
    label: 'Workspace',
    sections: {
      general: 'General',
      people: 'People',
      models: 'Models',
      spending: 'Spending',
      retention: 'Retention'
    }
  },
  { label: 'Agents', sections: { 'tool-rules': 'Tool rules', tools: 'Limits', signals: 'Signals' } },
  { label: 'Security', sections: { keys: 'API keys', secrets: 'Secrets', audit: 'Audit log' } },
  { label: 'Integrations', sections: { webhooks: 'Webhooks', embedding: 'Embedding' } }
]

/** A plugin has a page of its own, so its path has no `/settings`. */
const elsewhere = [{ href: '/plugins', label: 'Plugins' }]

export const settingGroups = groups.map(({ label, sections }) => ({
  label,
  sections: [
    ...Object.entries(sections).map(([path, label]) => ({ href: `/settings/${path}`, label })),
    ...(label === 'Integrations' ? elsewhere : [])
  ]
}))

/** Returns the name of the section at a path. */
export const sectionAt = (path: string): string | undefined =>
  settingGroups.flatMap(({ sections }) => sections).find(({ href }) => href === path)?.label
