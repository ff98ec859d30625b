import type { FailureFacts } from './gatewayFailure';

/**
 * Words that say that the model has answered and something after it has failed: what it answered with could not be
 * stored or read, or it was empty. The model is paid for in any case, so the request may be charged.
 */
const AFTER_THE_WORK = [
	/\b(failed|unable|could ?n[o']t|cannot|error|problem) (to |in |while |when )?(upload|stor(e|ing)|sav(e|ing)|persist)/i,
	/\b(upload|storage|saving|storing)( of)?( the)?( \S{1,40}){0,4} (has )?failed\b/i,
	/\bno( \w{1,20}){1,3} (was |were )?(found )?in( the)?( \w{1,20})? (response|answer|reply)\b/i,
	/\b(response|answer|reply)( of the model)? (contain(s|ed)|ha[sd]) no\b/i,
	/\bempty (response|answer|reply)\b|\b(response|answer|reply)( of the model)? (is|was) empty\b/i,
	/\b(read_response_body_failed|bad_response_body|empty_response)\b/i,
];

/** Documented messages of a response without an image (interface, section 7), after the model was asked. */
export const NO_IMAGE = 'no base64 image found in response';
export const NOT_UPLOADED = 'failed to upload image';
/** Most likely, the safety filter of the model would reject the same request again. */
export const NO_CHOICES = 'chat response contains no choices';

/** The documented message that a failure contains. */
export function documentedReason({ gatewayMessage = '' }: FailureFacts): string | undefined {
	const words = gatewayMessage.toLowerCase();
	return [NO_IMAGE, NOT_UPLOADED, NO_CHOICES].find((message) => words.includes(message));
}

/**
 * Whether an error says that what the request asked for was done, although its result did not arrive. With any other
 * status than 500, words that are not documented may be about the request.
 */
export function saysWorkWasDone(facts: FailureFacts, status: number): boolean {
	if (documentedReason(facts) !== undefined) return true;
	const { gatewayMessage = '', code = '', type = '' } = facts;
	if (status !== 500) return false;
	return [gatewayMessage, code, type].some((words) => AFTER_THE_WORK.some((pattern) => pattern.test(words)));
}
