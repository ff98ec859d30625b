import { utilityEndpoints } from '../../../emulator/utilities';
import { documented } from '../../unit/Utilities/documented';
import { useGateway } from './gateway';

const gateway = useGateway();

/** Asks a utility. @param address below `/v2/apis`, such as `/weather?query=上海` */
const ask = async (address: string) => {
	const { status, headers, data } = await gateway.get(`/v2/apis${address}`, {
		responseType: 'arraybuffer',
	});
	const bytes = Buffer.from(data as ArrayBuffer);
	return { status, type: String(headers['content-type']), bytes, text: bytes.toString() };
};

const endpoints = documented.map(({ path, encodings }) => {
	const own = path.slice('/v2/apis'.length).replace(/\{(\w+)\}/g, ':$1');
	const { example } = utilityEndpoints.find((one) => one.path === own)!;
	return { path, example, encodings };
});

const withQuery = (address: string, query: string) =>
	`${address}${address.includes('?') ? '&' : '?'}${query}`;

const TYPES: Record<string, [status: number, type: RegExp, body: RegExp]> = {
	json: [200, /^application\/json/, /^\{"code":200,"message":".+","data":[[{]/],
	text: [200, /^text\/plain/, /\S/],
	markdown: [200, /^text\/plain/, /^# \S/],
	html: [200, /^text\/html/, /^<!DOCTYPE html>/],
	image: [302, /^text\/plain/, /^Redirecting to http/],
	'image-proxy': [200, /^image\/png/, /^.PNG/],
};

it('The emulator has exactly the paths of the document', () => {
	expect(utilityEndpoints).toHaveLength(documented.length);
});

describe.each(endpoints)('GET $path', ({ example, encodings }) => {
	it('answers in each documented encoding, without an undefined value', async () => {
		expect((await ask(example)).status).toBe(200);
		for (const encoding of encodings) {
			const { status, type, text } = await ask(withQuery(example, `encoding=${encoding}`));
			const [expected, ofType, withBody] = TYPES[encoding];
			expect([encoding, status]).toEqual([encoding, expected]);
			expect([type, text]).toEqual([expect.stringMatching(ofType), expect.stringMatching(withBody)]);
			// The bytes of a picture may spell anything.
			if (!type.startsWith('image/')) expect(text).not.toMatch(/undefined|NaN|\{\w+\}|\[object/);
		}
	});
});
