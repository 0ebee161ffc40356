import { command } from './command.ts'
import { jsonLine, printable } from './escape.ts'

export const resend = command({
  args: ['<sessionId>', '<messageId>'],
  summary: 'Send a message again that an external agent did not accept.',
  notes: ['If the message is being sent or was delivered, the command does nothing.'],
  options: {},
  async run({ args: [sessionId = '', messageId = ''], json, client, io }) {
    const receipt = await client.session(sessionId).resend(messageId)
    await io.out(
      json ? `${jsonLine(receipt)}\n` : `Message ${printable(receipt.messageId)} is ${receipt.state}.\n`
    )
  }
})
