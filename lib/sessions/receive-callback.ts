import { storable } from '#db/client.ts'
import { isSigned } from '#lib/deliveries/sign.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { CallbackReceipt } from '#lib/protocol/callback.ts'
import { Key } from '#lib/protocol/session.ts'
import { type Admitted, unproved } from './admit-callback.ts'
import { readPiece } from './append-reply.ts'
import { receivePiece, receiveWhole } from './receive-reply.ts'

/**
 * A reply of an external agent (000-16): an assistant's message like any other, in the log once this returns. It needs no
 * turn and no owner (docs/concepts/engine.md#append-verb), and is as welcome after three days as after a second. A `key` makes it once; without one
 * every reply is a message. With `Waystation-Message` it is a piece of one that grows while it is read.
 */
export async function receiveCallback(admitted: Admitted, reply: string): Promise<CallbackReceipt> {
  const { places, proof, key, message, again, remembered } = admitted
  const place = places.find(({ secrets }) => proof === undefined || isSigned(secrets, proof, reply))
  if (place === undefined && remembered) return receiveCallback(await again(), reply)
  if (place === undefined)
    throw unproved('The signature is not valid. Check the signing secret, the timestamp and the body.')
  const text = redacted(place.ctx, 'reply', String(storable(reply)))
  const isOddKey = key !== undefined && !Key.safeParse(key).success
  const isEmpty = text.trim() === ''
  // Nothing is refused by what is remembered: a link that was rotated away gets 401, whatever it brings.
  if (remembered && (isOddKey || isEmpty)) return receiveCallback(await again(), reply)
  if (isOddKey)
    throw invalid('An idempotency key must have 1 to 255 characters.', {
      key: 'must have 1 to 255 characters'
    })
  if (message !== undefined) return receivePiece(place, admitted, readPiece(message, text))
  if (isEmpty) throw new Refusal('EMPTY_MESSAGE', 'The reply is empty. Send its text as the body.')
  const receipt = await receiveWhole(place, admitted, text.trimEnd())
  return receipt ?? receiveCallback(await again(), reply)
}
