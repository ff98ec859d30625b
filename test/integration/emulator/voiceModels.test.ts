import { wav as wavOf } from '../VoiceModel/voiceSamples';
import { useGateway } from './gateway';

const gateway = useGateway();
/** Also what comparable services refuse. */
beforeEach(() => gateway.emulator.behaviour.set('*', { checkUndocumented: true }));

const wav = (seconds = 12) => wavOf({ seconds });

interface FormParts {
	samples?: Buffer[];
	texts?: string[];
	fields?: Record<string, string>;
}

let voiceNumber = 0;

function formOf({
	samples = [wav(), wav()],
	texts = ['One.', 'Two.'],
	fields = {},
}: FormParts = {}): FormData {
	const form = new FormData();
	const all = { name: `voice-${++voiceNumber}`, contact_email: 'me@home.example', ...fields };
	for (const [name, value] of Object.entries(all)) if (value !== '') form.append(name, value);
	samples.forEach((bytes, index) =>
		form.append('audio_files', new Blob([bytes], { type: 'audio/wav' }), `sample ${index + 1}.wav`),
	);
	for (const text of texts) form.append('reference_texts', text);
	return form;
}

const create = async (parts: FormParts) => await gateway.post('/v1/voice/model', formOf(parts));

describe('POST /v1/voice/model', () => {
	const mp3 = Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), Buffer.alloc(500_000)]);
	it.each<[string, FormParts, RegExp]>([
		['a request without a name', { fields: { name: '' } }, /Missing required field "name"/],
		['a request without samples', { samples: [], texts: [] }, /Missing required field "audio_files"/],
		['one sample', { samples: [wav()], texts: ['One.'] }, /1 files, 2 or 3 are needed/],
		['four samples', { samples: [wav(), wav(), wav(), wav()], texts: [...'1234'] }, /4 files, 2 or 3/],
		['too few transcripts', { texts: ['One.'] }, /1 transcripts for 2 audio files/],
		['a short sample', { samples: [wav(), wav(8)] }, /"audio_files\[1\]" .*lasts 8\.0 s, at least 10 s/],
		['an MP3 file named as WAV', { samples: [mp3, wav()] }, /"audio_files\[0\]" .*not a readable WAV file/],
		['a private voice without an email address', { fields: { contact_email: '' } }, /"contact_email"/],
		['the name of a built-in voice', { fields: { name: 'Anders' } }, /already/],
		['an unknown field', { fields: { language: 'en' } }, /Unknown field "language"/],
	])('rejects %s', async (_what, parts, message) => {
		const before = (await gateway.get('/v1/audio/voices')).data.total;
		const answer = await create(parts);
		expect(answer.status).toBe(400);
		expect(answer.data.error).toEqual({
			message: expect.stringMatching(message),
			type: 'invalid_request_error',
			code: 'invalid_request_error',
		});
		expect((await gateway.get('/v1/audio/voices')).data.total).toBe(before);
	});
});
