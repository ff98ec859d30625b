import { GatewayFailure } from '../shared/errors/gatewayFailure';

/** A documented reason why there is no image (interface, section 7). */
interface Reason {
	/** What the gateway's message contains. */
	said: string;
	message: string;
	description: string;
	/** Whether the same request would only end the same way. */
	isFinal: boolean;
}

const REASONS: Reason[] = [
	{
		said: 'no base64 image found in response',
		message: 'The model returned no image',
		description:
			'It answered with words or with nothing. Say plainly in Prompt what the picture shows, make sure that every address in Reference Images can be opened from the internet, and check that Model is an image model. Then run the item again.',
		isFinal: false,
	},
	{
		said: 'failed to upload image',
		message: 'The image was made, but the gateway could not store it',
		description:
			'The upload from the model to the file store of the gateway did not succeed. Run the item again in a few minutes; if this goes on, ask the operator of the gateway, also whether the attempts were charged.',
		isFinal: false,
	},
	{
		said: 'chat response contains no choices',
		message: 'The model gave an empty answer, most likely because of its safety filter',
		description:
			'Change Prompt or Reference Images of this item: avoid real persons, violence, nudity and protected characters. It was not tried again, because the same request would be turned down again.',
		isFinal: true,
	},
];

/** Puts a documented reason into plain words with advice of its own; other failures stay as they are. */
export function explainImageFailure(failure: GatewayFailure): GatewayFailure {
	const reason = reasonOf(failure);
	if (!reason) return failure;
	const description = `${reason.description} The gateway said: “${failure.facts.gatewayMessage}”`;
	return new GatewayFailure(failure.kind, reason.message, description, failure.facts);
}

/** Whether sending the same request again would be in vain, although the status allows it. */
export function isFinalImageFailure(failure: GatewayFailure): boolean {
	return reasonOf(failure)?.isFinal ?? false;
}

function reasonOf({ facts }: GatewayFailure): Reason | undefined {
	const message = facts.gatewayMessage?.toLowerCase() ?? '';
	return REASONS.find(({ said }) => message.includes(said));
}
