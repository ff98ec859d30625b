import { unclearAdvice, withGatewayWords } from '../shared/errors/statusFailure';
import { type FailureFacts, GatewayFailure } from '../shared/errors/gatewayFailure';

/** A documented reason for a response without an image (interface, section 7). The model was asked, and may be charged. */
interface Reason {
	/** Part of the gateway's message. */
	gatewayMessage: string;
	message: string;
	description: string;
	/** Whether sending the same request again cannot succeed. */
	isFinal: boolean;
}

const REASONS: Reason[] = [
	{
		gatewayMessage: 'no base64 image found in response',
		message: 'The model returned no image',
		description:
			'The response of the model contained only text, or nothing. Describe clearly in Prompt what the image shows, check that all addresses in Reference Images can be opened from the internet, and check that Model is an image model. Then run the item again.',
		isFinal: false,
	},
	{
		gatewayMessage: 'failed to upload image',
		message: 'The image was generated, but the gateway could not store it',
		description:
			'The upload from the model to the file storage of the gateway failed. Ask the operator of the gateway for the image, or run the item again in a few minutes, which generates another one.',
		isFinal: false,
	},
	{
		gatewayMessage: 'chat response contains no choices',
		message: 'The model returned an empty response, most likely because of its safety filter',
		description:
			'Change Prompt or Reference Images of this item: avoid real people, violence, nudity, and protected characters. The request was not sent again, because the model would reject it again. The gateway may have charged for it.',
		isFinal: true,
	},
];

/** The same failure with a message and advice for a documented reason; other failures unchanged. */
export function explainImageFailure(failure: GatewayFailure): GatewayFailure {
	const { kind, facts } = failure;
	const reason = reasonOf(facts);
	if (!reason) return failure;
	const message = withGatewayWords(reason.message, facts);
	const advice = reason.isFinal ? reason.description : `${reason.description} ${unclearAdvice(facts)}`;
	return new GatewayFailure(kind, message, advice, { ...facts, mayHaveBeenCarriedOut: true });
}

/** Whether a request must not be sent again, although the user allows it after an unclear outcome. */
export function isFinalImageFailure({ facts }: GatewayFailure): boolean {
	return reasonOf(facts)?.isFinal ?? false;
}

function reasonOf(facts: FailureFacts): Reason | undefined {
	const message = facts.gatewayMessage?.toLowerCase() ?? '';
	return REASONS.find(({ gatewayMessage }) => message.includes(gatewayMessage));
}
