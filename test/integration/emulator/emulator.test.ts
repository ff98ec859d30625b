import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import axios from 'axios';
import { startEmulator } from '../../../emulator';
import { dialects, toolDialects } from '../../../emulator/dialects';
import { wav as wavOf } from '../VoiceModel/voiceSamples';
import { chatBody, contentsBody, messagesBody, useGateway } from './gateway';

let clock = 1_000_000;
const gateway = useGateway({ now: () => clock });

describe('Key check', () => {
	it.each([
		['GET', '/v1/models'],
		['POST', '/v1/chat/completions'],
		['POST', '/v1/messages'],
		['POST', '/v1beta/models/aurora-4:generateContent'],
		['GET', '/v1/no-such-path'],
		['GET', '/v2/apis/60s'],
	])('rejects %s %s without a key', async (method, url) => {
		const answer = await gateway.client.request({ method, url, headers: { Authorization: null } });
		expect(answer.status).toBe(401);
		expect(answer.data.error).toEqual({
			message: expect.stringContaining('No API key'),
			type: 'authentication_error',
			code: 'invalid_api_key',
		});
	});

	it('accepts x-api-key only on the messages endpoint', async () => {
		const status = async (path: string, header: string, body: object) => {
			const headers = {
				'msgapi-version': '2023-06-01',
				Authorization: null,
				[header]: gateway.emulator.apiKey,
			};
			return (await gateway.post(path, body, { headers })).status;
		};
		const generateContent = '/v1beta/models/aurora-4:generateContent';
		expect(await status('/v1/messages', 'x-api-key', messagesBody())).toBe(200);
		expect(await status('/v1/chat/completions', 'x-api-key', chatBody('Hello'))).toBe(401);
		expect(await status(generateContent, 'x-api-key', contentsBody())).toBe(401);
		expect(await status(generateContent, 'x-goog-api-key', contentsBody())).toBe(401);
		expect(await status('/v1/messages', 'x-goog-api-key', messagesBody())).toBe(401);
	});
});

describe('Body check', () => {
	const json = { headers: { 'Content-Type': 'application/json' } };

	it('rejects invalid JSON, JSON that is not an object, and a missing body', async () => {
		const broken = await gateway.post('/v1/chat/completions', Buffer.from('{"model":'), json);
		expect([broken.status, broken.data.error.code]).toEqual([400, 'invalid_request_error']);
		expect(broken.data.error.message).toContain('not valid JSON');
		expect((await gateway.post('/v1/chat/completions', [], json)).status).toBe(400);
		expect((await gateway.post('/v1/chat/completions', undefined, json)).status).toBe(400);
	});
});

describe('Lists', () => {
	it('contain the same 38 or more voices under both paths', async () => {
		const { data } = await gateway.get('/v1/audio/voices');
		expect(data.success).toBe(true);
		expect(data.total).toBe(data.voice_characters.length);
		expect(data.total).toBeGreaterThanOrEqual(38);
		for (const voice of data.voice_characters) {
			expect(voice).toEqual({ name: expect.any(String), public: 'public', description: expect.any(String) });
		}
		expect(new Set(data.voice_characters.map(({ name }: { name: string }) => name)).size).toBe(data.total);
		expect((await gateway.get('/v1/voice/models/list')).data).toEqual(data);
	});
});

describe('Limit rule', () => {
	const limited = (limit: object) =>
		gateway.emulator.behaviour.set('GET /v1/models', { limit: { requests: 2, perMs: 10_000, ...limit } });
	const status = async () => (await gateway.get('/v1/models')).status;

	it('rejects requests above a sliding window with the documented body', async () => {
		limited({});
		expect([await status(), await status()]).toEqual([200, 200]);
		const refused = await gateway.get('/v1/models');
		expect(refused.status).toBe(429);
		expect(refused.data.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
		expect(refused.headers['retry-after']).toBeUndefined();
		clock += 9_999;
		expect(await status()).toBe(429);
		clock += 1;
		expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
	});
});

describe('Capacity rule', () => {
	it('rejects the surplus', async () => {
		const { behaviour, journal } = gateway.emulator;
		behaviour.set('*', { latencyMs: 600_000, capacity: { concurrent: 3, surplus: 'refuse' } });
		const leaving = new AbortController();
		const three = [1, 2, 3].map(() => gateway.get('/v1/models', { signal: leaving.signal }));
		await journal.until(3);
		expect((await gateway.get('/v1/models')).status).toBe(429);
		leaving.abort();
		await Promise.allSettled(three);
		await journal.until(3, ({ closedByClient }) => closedByClient);
		behaviour.set('*', { capacity: { concurrent: 3, surplus: 'refuse' } });
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});
});

describe('Control routes', () => {
	it('set, show and reset rules', async () => {
		const rules = { 'GET /v1/models': { faults: [{ kind: 'empty', status: 418 }] } };
		expect((await gateway.client.put('/__emulator/behaviour', rules)).status).toBe(200);
		expect((await gateway.get('/__emulator/behaviour')).data).toMatchObject(rules);
		expect((await gateway.get('/v1/models')).status).toBe(418);
		await gateway.client.put('/__emulator/behaviour', { '*': { limit: { requests: 0, perMs: 1_000 } } });
		expect((await gateway.get('/v1/models')).status).toBe(429);
		expect((await gateway.client.delete('/__emulator/behaviour')).status).toBe(204);
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});
});

describe('startEmulator', () => {
	it('closes immediately despite open connections', async () => {
		const emulator = await startEmulator();
		emulator.behaviour.set('*', { faults: [{ kind: 'stall' }] });
		const open = gateway.client.get(`${emulator.url}/v1/models`, {
			headers: { Authorization: `Bearer ${emulator.apiKey}` },
		});
		const broken = expect(open).rejects.toThrow();
		await emulator.journal.until(1, ({ fault }) => fault === 'stall');
		// It would not end if it waited for the answer, which never comes.
		await emulator.close();
		await broken;
		expect(emulator.journal.entries()[0].closedByClient).toBe(false);
	});
});

const ALL = [...dialects, ...toolDialects];

describe('A dialect', () => {
	const rerank = { model: 'reranker-v2-m3', query: 'moon', documents: ['The moon', 'A password'] };

	it('has a name of its own in kebab case, a description of one line, a source, and routes', () => {
		expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
		for (const { name, description, source, routes } of ALL) {
			expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
			expect(description).toMatch(/^[^\n]{8,160}$/);
			expect(source).toMatch(/^[A-Za-z][^\n:]{3,60}: [^\n]{3,}$/);
			expect(routes).not.toEqual([]);
		}
	});

	it('in which the gateway refuses leaves the request undone and unpaid', async () => {
		gateway.emulator.behaviour.set('/v1/rerank', { dialect: 'error-code-401-msg' });
		const { status, data } = await gateway.post('/v1/rerank', rerank);
		expect([status, data]).toEqual([200, { code: 401, msg: expect.any(String) }]);
		const [entry] = gateway.emulator.journal.entries();
		expect([entry.carriedOut, entry.status]).toEqual([false, 200]);
		expect((await gateway.get('/v1/dashboard/billing/usage')).data.total_usage).toBe(0);
	});
});

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
	/** Also what comparable services refuse. */
	beforeEach(() => gateway.emulator.behaviour.set('*', { checkUndocumented: true }));

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

const root = join(__dirname, '..', '..', '..');

describe('Emulator CLI', () => {
	it('serves until it is interrupted', async () => {
		const options = ['--port', '0', '--key', 'my-key', '--rpm', '1'];
		const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'emulator', 'cli.ts'), ...options], {
			cwd: root,
			env: { ...process.env, NODE_OPTIONS: '' },
		});
		const announcement = await new Promise<string>((resolve) => {
			child.stdout.on('data', (chunk) => String(chunk).includes('Base URL') && resolve(String(chunk)));
		});
		expect(announcement).toContain('my-key');
		const client = axios.create({
			baseURL: /http:\/\/127\.0\.0\.1:\d+/.exec(announcement)?.[0],
			headers: { Authorization: 'Bearer my-key' },
			proxy: false,
			validateStatus: () => true,
		});
		expect((await client.get('/v1/models')).status).toBe(200);
		expect((await client.get('/v1/models')).status).toBe(429);
		child.kill('SIGINT');
		expect(await once(child, 'close')).toEqual([0, null]);
		await expect(client.get('/__emulator/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});
});
