import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ImageFiles } from '../../../nodes/Image/imageFiles';
import { toFailure } from '../../../nodes/shared/failure/failure';
import { detectMediaType, mediaTypeOfFile } from '../../../nodes/shared/files/mediaTypes';
import { FileAllowance, hasFile, storeFile } from '../../../nodes/shared/files/storeFile';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import type { Call } from '../../../nodes/shared/run/call';
import { seededRandom } from '../seededRandom';

/** An error with these facts, as n8n and its stores throw them. */
const errorOf = (message: string, facts: object = {}) => Object.assign(new Error(message), facts);

describe('What an item may store', () => {
	it('counts all its files together, each while it is stored', async () => {
		const store = { ...storeOf({}), allowance: new FileAllowance(10) };
		const save = async (content: Buffer) =>
			await storeFile(store, content, '', { about: 'a', fallback: 'file' });
		await save(Buffer.alloc(6));
		await expect(save(Buffer.alloc(6))).rejects.toThrow(
			'the files of the item are longer than 1000 MB together',
		);
	});
});

/** A binary store that says as much about files as some version of n8n. */
const storeOf = (facts: object) => ({
	context: {
		helpers: {
			prepareBinaryData: async (stream: Readable, fileName: string, mimeType: string) => {
				const bytes = Buffer.concat(await stream.toArray());
				return { data: bytes.toString('hex'), fileName, mimeType, ...facts };
			},
		},
	} as unknown as IExecuteFunctions,
	redactor: new Redactor([]),
	allowance: new FileAllowance(),
});

describe('A file that n8n cannot save', () => {
	const bytes = [Buffer.from('RIFF....WAVE'), Buffer.alloc(2_000)];
	/** A store that throws after it has read so many chunks. */
	const failing = (error: unknown, after: number) => ({
		...storeOf({}),
		context: {
			helpers: {
				prepareBinaryData: async (stream: Readable) => {
					let count = 0;
					await stream.some(() => ++count > after);
					stream.destroy(error instanceof Error ? error : undefined);
					throw error;
				},
			},
		} as unknown as IExecuteFunctions,
	});
	const store = async (to: ReturnType<typeof storeOf>, content: Readable) =>
		await storeFile(to, content, '', { about: 'a', fallback: 'file' }).catch(toFailure);

	it.each<[string, unknown]>([
		['no space left on device', errorOf('ENOSPC: no space left on device, write', { code: 'ENOSPC' })],
		['Access Denied', errorOf('Access Denied', { code: 'AccessDenied', status: 403 })],
		['connect ECONNREFUSED', errorOf('connect ECONNREFUSED', { code: 'ECONNREFUSED' })],
		['id of undefined', new TypeError('id of undefined')],
		['out of quota', 'out of quota'],
		...['EDQUOT', 'EROFS', 'EPERM', 'ENFILE', 'EIO'].map((code): [string, unknown] => [
			'no luck',
			errorOf(`${code}: no luck, write`, { code }),
		]),
	])('is a failure of the store, whatever n8n throws: %s', async (why, error) => {
		for (const after of [0, 1]) {
			const failure = await store(failing(error, after), Readable.from(bytes));
			expect(failure).toMatchObject({ kind: 'storage', message: `n8n could not save the file (${why})` });
		}
	});

	it('is none of the store when the file itself breaks', async () => {
		const lost = errorOf('aborted', { code: 'ECONNRESET' });
		const broken = Readable.from(
			(async function* () {
				yield* bytes;
				throw await Promise.resolve(lost);
			})(),
		);
		const saving = storeFile(storeOf({}), broken, '', { about: 'a', fallback: 'file' });
		await expect(saving).rejects.toBe(lost);
	});

	it('is a fault of this package when that fails at removing the key', async () => {
		const faulty = new Redactor([]);
		faulty.bytes = () => {
			throw new TypeError('A fault');
		};
		expect(await store({ ...storeOf({}), redactor: faulty }, Readable.from(bytes))).toMatchObject({
			kind: 'bug',
		});
	});
});

describe('A file of an earlier try', () => {
	const isThere = async (error?: unknown) => {
		const getBinaryStream =
			error === undefined ? async () => Readable.from([]) : jest.fn().mockRejectedValue(error);
		const context = { helpers: { getBinaryStream } } as unknown as IExecuteFunctions;
		return await hasFile(context, { id: 'filesystem-v2:a', data: '', mimeType: 'image/png' });
	};
	class FileNotFoundError extends Error {}

	it('is there when n8n opens it', async () => {
		expect(await isThere()).toBe(true);
	});

	it.each<[string, Error]>([
		["n8n's own error", new FileNotFoundError('')],
		['its words', errorOf('File not found')],
		['the disk', errorOf('ENOENT: no such file', { code: 'ENOENT' })],
		['its database', errorOf('Could not find any entity', { name: 'EntityNotFoundError' })],
		['S3', errorOf('The specified key does not exist.', { name: 'NoSuchKey' })],
		['another S3', errorOf('', { name: 'NotFound' })],
		['Azure', errorOf('The blob does not exist', { code: 'BlobNotFound' })],
	])('is deleted, and paid for again, only if it is not found: by %s', async (_store, error) => {
		expect(await isThere(error)).toBe(false);
	});

	it.each<[string, unknown]>([
		['too many open files', errorOf('EMFILE: too many open files', { code: 'EMFILE' })],
		['permission denied', errorOf('EACCES: permission denied, open', { code: 'EACCES' })],
		['getaddrinfo ENOTFOUND s3.example', errorOf('', { code: 'ENOTFOUND' })],
		['Request timed out', errorOf('Request timed out')],
		['Forbidden', errorOf('Forbidden', { status: 403, name: 'AccessDenied' })],
		['nothing', null],
	])('is not paid for again when the store does not tell: %s', async (_why, error) => {
		const failure = await isThere(error).catch(toFailure);
		expect(failure).toMatchObject({ kind: 'storage', charge: 'certain', verdict: { again: 'never' } });
	});
});

describe('A stored file', () => {
	it('has its length, also in versions of n8n that do not say it', async () => {
		const wave = Buffer.from('RIFF....WAVE');
		const store = async (facts: object) =>
			await storeFile(storeOf(facts), wave, '', { about: 'a', fallback: 'b' });
		expect(await store({})).toMatchObject({ fileName: 'a.wav', bytes: 12 });
		expect(await store({ bytes: 9 })).toMatchObject({ bytes: 9 });
	});

	it('has no media type with a key in it', async () => {
		const key = 'key-0123456789-abcdef';
		const store = { ...storeOf({}), redactor: new Redactor([key]) };
		const name = { about: 'Song', fallback: 'song' };
		const { mimeType } = await storeFile(store, Buffer.from([1, 2, 3, 255]), `audio/${key}`, name);
		expect(mimeType).toBe('application/octet-stream');
	});

	it('is named without a key, whatever a name leaves out of it', async () => {
		const random = seededRandom(5);
		const characters = [...'abcXYZ019-_.+/=:~$%&|'];
		for (let round = 0; round < 200; round++) {
			const key = Array.from({ length: 30 }, () => characters[Math.floor(random() * characters.length)]).join(
				'',
			);
			const store = { ...storeOf({}), redactor: new Redactor([key]) };
			const name = { about: `Song of ${key} ${round}`, fallback: 'song' };
			const { fileName } = await storeFile(store, Buffer.from('x'), 'text/plain', name);
			expect(fileName).toBe(`Song of API key ${round}.txt`);
		}
	});

	it.each([1, 5, 31])('has its type and size even if it arrives in pieces of %d bytes', async (length) => {
		const hex = `89504e470d0a1a0a0000000d49484452000002000000010008${'00'.repeat(40)}`;
		const bytes = Buffer.from(hex, 'hex');
		const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length);
		const body = Readable.from(starts.map((start) => bytes.subarray(start, start + length)));
		const files = new ImageFiles(storeOf({}) as Call, { prompt: 'fox', fileName: '' });
		const image = { data: hex, fileName: 'fox.png', mimeType: 'image/png', width: 512, height: 256 };
		expect(await files.store(body, 'application/octet-stream')).toMatchObject(image);
	});
});

describe('The type of a file', () => {
	it.each<[string, string | undefined]>([
		['89504e470d0a1a0a', 'image/png'],
		['ffd8ffe0', 'image/jpeg'],
		...['GIF87a', 'GIF89a'].map((one): [string, string] => [one, 'image/gif']),
		['RIFF....WEBP', 'image/webp'],
		...['....ftypavif', '....ftypavis'].map((one): [string, string] => [one, 'image/avif']),
		...['heic', 'heix', 'hevc', 'mif1', 'msf1'].map((brand): [string, string] => [
			`....ftyp${brand}`,
			'image/heic',
		]),
		['%PDF-1.7', 'application/pdf'],
		['RIFF....WAVE', 'audio/wav'],
		['RF64....WAVE', 'audio/wav'],
		['OggS', 'audio/ogg'],
		['fLaC', 'audio/flac'],
		['....ftypM4A ', 'audio/mp4'],
		['1a45dfa3', 'audio/webm'],
		['ID3', 'audio/mpeg'],
		...['fff0', 'fff15080', 'fff8', 'fff9'].map((one): [string, string] => [one, 'audio/aac']),
		...['fffb9000', 'fff3', 'ffe3'].map((one): [string, string] => [one, 'audio/mpeg']),
		['A text', undefined],
	])('shows in its first bytes: %s', (beginning, type) => {
		const isHex = /^([\da-f]{2})+$/.test(beginning);
		expect(detectMediaType(Buffer.from(beginning, isHex ? 'hex' : 'latin1'))).toBe(type);
	});

	it.each([
		// Registered by IANA, or usual on the web (MDN, "Common media types").
		['audio/mpeg', 'audio/mpeg', 'mp3'],
		['audio/wav', 'audio/wav', 'wav'],
		['audio/ogg', 'audio/ogg', 'ogg'],
		['audio/opus', 'audio/opus', 'opus'],
		['audio/flac', 'audio/flac', 'flac'],
		['audio/aac', 'audio/aac', 'aac'],
		['audio/mp4', 'audio/mp4', 'm4a'],
		['audio/webm', 'audio/webm', 'webm'],
		['image/avif', 'image/avif', 'avif'],
		['image/png', 'image/png', 'png'],
		['image/jpeg', 'image/jpeg', 'jpg'],
		['image/gif', 'image/gif', 'gif'],
		['image/webp', 'image/webp', 'webp'],
		['image/heic', 'image/heic', 'heic'],
		['image/svg+xml', 'image/svg+xml', 'svg'],
		['application/json', 'application/json', 'json'],
		['application/pdf', 'application/pdf', 'pdf'],
		['application/xml', 'application/xml', 'xml'],
		['text/html; charset=utf-8', 'text/html', 'html'],
		['text/plain', 'text/plain', 'txt'],
		['text/vtt', 'text/vtt', 'vtt'],
		['application/x-subrip', 'application/x-subrip', 'srt'],
		// Other names of them. Recordings of an iPhone are declared as audio/x-m4a.
		['audio/mp3', 'audio/mpeg', 'mp3'],
		['audio/x-mpeg', 'audio/mpeg', 'mp3'],
		['audio/x-wav', 'audio/wav', 'wav'],
		['audio/wave', 'audio/wav', 'wav'],
		['audio/vnd.wave', 'audio/wav', 'wav'],
		['audio/x-flac', 'audio/flac', 'flac'],
		['audio/x-m4a', 'audio/mp4', 'm4a'],
		['application/ogg', 'audio/ogg', 'ogg'],
		['image/jpg', 'image/jpeg', 'jpg'],
		['text/xml', 'application/xml', 'xml'],
		// None of those.
		['audio/x-own', 'audio/x-own', 'bin'],
		['no type', 'application/octet-stream', 'bin'],
		['', 'application/octet-stream', 'bin'],
	])('is the declared one if its first bytes say nothing: %s', (declared, mimeType, extension) => {
		expect(mediaTypeOfFile(declared, Buffer.from([1, 2, 3, 255]))).toEqual({ mimeType, extension });
	});

	it.each([
		...['binary/octet-stream', 'application/binary', 'text/plain', 'application/json', 'audio/opus'].map(
			(declared) => [declared, 'fLaC', 'audio/flac'],
		),
		['audio/opus', 'OggS', 'audio/opus'],
		['audio/x-own', 'OggS', 'audio/x-own'],
	])('is the declared one if that says more: %s, beginning with %s', (declared, beginning, mimeType) => {
		expect(mediaTypeOfFile(declared, Buffer.from(beginning))).toMatchObject({ mimeType });
	});
});
