import { statusFailure } from '../../../nodes/shared/errors/statusFailure';
import { withPartLength } from '../../../nodes/Speech/speak';

const adviceFor = (gatewayMessage: string, { status = 400, code = '' } = {}) =>
	withPartLength(statusFailure({ status, gatewayMessage, code }), 4096).description;

describe('The advice for a text that is too long for the gateway', () => {
	it.each([
		['The text exceeds the character limit of 2500 characters', '2500 or less'],
		['input.text is longer than the limit of 5000 bytes', '1666 or less'],
		['The input is longer than the maximum of 2000 tokens', '1000 or less'],
		['输入文本过长，不能超过600字', '600 or less'],
		['The text is too long', 'a smaller number'],
		['文本长度超限', 'a smaller number'],
	])('names the option that splits it, for "%s"', (gatewayMessage, most) => {
		expect(adviceFor(gatewayMessage)).toContain(
			` To split the text into shorter requests, set Characters per Part in Limits and Retries to ${most}.`,
		);
	});

	it('names Long Text as well when the text is sent as it is', () => {
		const words = 'Expected a string with maximum length 4096, but got a string with length 5123 instead.';
		const whole = withPartLength(statusFailure({ status: 400, gatewayMessage: words }), undefined);
		expect(whole.description).toContain(
			'set Long Text to "Split and Join", and Characters per Part in Limits and Retries to 4096 or less.',
		);
	});

	it('is given for the codes and statuses of gateways without such words', () => {
		expect(adviceFor('Bad input', { code: 'max_character_limit_exceeded', status: 401 })).toContain(
			'Characters per Part',
		);
		expect(adviceFor('', { status: 413 })).toContain('Characters per Part');
	});

	it('is not given when a part is short enough, or when something else is wrong', () => {
		expect(adviceFor('The text exceeds the character limit of 5000 characters')).not.toContain(
			'Characters per Part',
		);
		expect(adviceFor('at most 3 pages')).not.toContain('Characters per Part');
		expect(adviceFor('The voice does not exist')).not.toContain('Characters per Part');
		expect(adviceFor('Text exceeds the limit of 10 characters per minute', { status: 429 })).not.toContain(
			'Characters per Part',
		);
	});
});
