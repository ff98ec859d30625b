import { wiringOf } from '../../../nodes/shared/send/wiring';

describe('The paths and field names of a credential', () => {
	it('are those of the interface when nothing else is entered', () => {
		const usual = wiringOf({});
		expect(usual).toEqual({
			musicSubmitPath: '/v1/music/generations',
			musicQueryPath: '/v1/music/tasks/{task_id}',
			musicStyleField: 'style',
			musicTitleField: 'title',
			voiceCreatePath: '/v1/voice/model',
			voiceFileField: 'audio_files',
			voiceTranscriptField: 'reference_texts',
		});
		expect(wiringOf({ musicSubmitPath: ' ', voiceFileField: '' })).toEqual(usual);
	});

	it.each([
		['Music Submit Path', { musicSubmitPath: 'v1/music' }],
		['Music Submit Path', { musicSubmitPath: '@elsewhere.example/' }],
		['Music Submit Path', { musicSubmitPath: '/v1/../admin' }],
		['Voice Create Path', { voiceCreatePath: '/v1/%2e%2e/admin' }],
		['Voice Create Path', { voiceCreatePath: '/v1/%76%6f%69%63%65/%2e%2e/admin' }],
		['Voice Create Path', { voiceCreatePath: '/v1/.%09.%09/admin' }],
		['Voice Create Path', { voiceCreatePath: '/v1/voice\nmodel' }],
		['Music Query Path', { musicQueryPath: '/v1/music/query' }],
		// Only the first ID would be filled in.
		['Music Query Path', { musicQueryPath: '/v1/{task_id}/{task_id}' }],
	])('are refused if a path would lead elsewhere: %s, %j', (label, entered) => {
		expect(() => wiringOf(entered)).toThrow(`${label} in the credential cannot be`);
	});
});
