import { saysWorkWasDone } from '../../../nodes/shared/errors/meaning';

describe('saysWorkWasDone', () => {
	it.each([
		'failed to upload image',
		'Failed to store the generated audio: disk full',
		'could not save file',
		'Unable to persist result',
		'error while uploading audio to storage',
		'upload of the file failed',
		'no base64 image found in response',
		'no audio was found in the upstream response',
		'chat response contains no choices',
		'The model returned an empty response',
	])('holds for "%s"', (gatewayMessage) => {
		expect(saysWorkWasDone(500, { gatewayMessage })).toBe(true);
	});

	it.each([
		'The server had a fault. Retry after a short delay.',
		'internal server error',
		'model overloaded, no available channel',
		'no response from upstream',
		'database error',
		'upstream connect error or disconnect/reset before headers',
		'',
	])('does not hold for "%s"', (gatewayMessage) => {
		expect(saysWorkWasDone(500, { gatewayMessage })).toBe(false);
	});

	it.each([
		'No base64 image found in response',
		'failed to upload image',
		'chat response contains no choices',
	])('holds with any status for the documented "%s"', (gatewayMessage) =>
		expect(saysWorkWasDone(400, { gatewayMessage })).toBe(true),
	);

	it('does not hold with another status for words that may be about the request', () => {
		expect(saysWorkWasDone(400, { gatewayMessage: 'could not save file' })).toBe(false);
	});

	it('also reads the code', () => {
		expect(saysWorkWasDone(500, { code: 'read_response_body_failed' })).toBe(true);
		expect(saysWorkWasDone(500, { code: 'server_error', type: 'server_error' })).toBe(false);
	});
});
