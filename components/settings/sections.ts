/** The sections of the settings: the last part of their URL, and their name. */
const groups = [
  { label: 'You', sections: [{ path: 'profile', label: 'Profile' }] },
  {
    label: 'Workspace',
    sections: [
      { path: 'general', label: 'General' },
      { path: 'people', label: 'People' },
      { path: 'models', label: 'Models' },
      { path: 'spending', label: 'Spending' },
      { path: 'retention', label: 'Retention' }
    ]
  },
  {
    label: 'Agents',
    sections: [
      { path: 'tool-rules', label: 'Tool rules' },
      { path: 'tools', label: 'Tools' },
      { path: 'signals', label: 'Signals' }
    ]
  },
  {
    label: 'Security',
    sections: [
      { path: 'keys', label: 'API keys' },
      { path: 'secrets', label: 'Secrets' },
      { path: 'audit', label: 'Audit log' }
    ]
  },
  {
    label: 'Integrations',
    sections: [
      { path: 'webhooks', label: 'Webhooks' },
      { path: 'embedding', label: 'Embedding' },
      { path: 'plugins', label: 'Plugins' }
    ]
  }
]

export const settingGroups = groups.map(({ label, sections }) => ({
  label,
  sections: sections.map(({ path, label }) => ({ href: `/settings/${path}`, label }))
}))
