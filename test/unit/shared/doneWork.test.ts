import { saysWorkWasDone } from '../../../nodes/shared/errors/doneWork';

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
		expect(saysWorkWasDone({ gatewayMessage }, 500)).toBe(true);
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
		expect(saysWorkWasDone({ gatewayMessage }, 500)).toBe(false);
	});

	it('also reads the code', () => {
		expect(saysWorkWasDone({ code: 'read_response_body_failed' }, 500)).toBe(true);
		expect(saysWorkWasDone({ code: 'server_error', type: 'server_error' }, 500)).toBe(false);
	});
});
