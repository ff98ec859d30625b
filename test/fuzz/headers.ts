import fc from 'fast-check';
import { endpoints } from '../../nodes/shared/send/endpoints';
import { mediaTypeOf, requestIdOf, retryAfterMilliseconds } from '../../nodes/shared/answer/headers';
import { mediaTypeOfFile } from '../../nodes/shared/files/mediaTypes';
import { KEY, leaksIn, SPELLINGS } from '../unit/shared/secrets/spellings';
import { expectFailure, expectPlain } from './expectations';
import { clientFor, leaksOf } from './gateway';
import { hostileText } from './hostileValues';
import { property, type Property } from './property';

const NOW = 1_700_000_000_000;

const TIMES = [
	...['0', '-1', '1.5', ' 7 ', '1e3', '0x10', '١٢', '9'.repeat(400), '31536000000', 'Infinity', 'NaN', ''],
	...['Wed, 21 Oct 2015 07:28:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', '2040-01-01T00:00:00Z', 'May', '1h'],
	...['10, 20', 'Wed, 21 Oct 275760 07:28:00 GMT', 'a -1', '+271821-04-20T00:00:00.000Z', '00005'],
];
const time = fc.oneof(
	fc.constantFrom(...TIMES),
	hostileText,
	fc.date().map((date) => date.toUTCString()),
);

const TYPES = ['application/json', 'text/event-stream; charset=utf-8', 'TEXT/HTML', ';', '/', 'a/b/c'];
const ADDRESSES = [
	...['/', '//other.example', 'https://other.example/x', 'http://gateway.example', '?a', '#a', '', '../..'],
	...['https://gateway.example:8443/', 'https://gateway.example/ok', 'HTTPS://GATEWAY.EXAMPLE', '%2e%2e'],
	...['https://gateway.example@other.example/', 'https://gateway.example.other.example', 'data:,x'],
	...[
		'javascript:alert(1)',
		'file:///etc/passwd',
		'\\\\other.example',
		'https:other.example',
		'https://[::1',
	],
	...['https://other.example\\@gateway.example', '\thttps://other.example', 'ftp://gateway.example'],
	...['https://gateway.example\t.other.example'],
];
const key = fc.constantFrom(...Object.values(SPELLINGS)).map((spell) => spell(KEY));
const address = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(...ADDRESSES) },
	{ weight: 1, arbitrary: hostileText },
	{ weight: 1, arbitrary: key.map((spelled) => `https://other.example/?${spelled}`) },
);
const REDIRECTS = [300, 301, 302, 303, 304, 305, 307, 308, 399];

const header = <T>(value: fc.Arbitrary<T>) =>
	fc.option(fc.oneof(value, fc.array(value, { maxLength: 2 })), { nil: undefined });
const headers = fc.record({
	'retry-after': header(time),
	'retry-after-ms': header(time),
	'content-type': header(fc.oneof(fc.constantFrom(...TYPES), hostileText)),
	'x-request-id': header(fc.oneof(hostileText, key)),
	'x-oneapi-request-id': header(fc.oneof(hostileText, key)),
	location: header(address),
	'content-disposition': header(hostileText),
});

export const headerProperties: Property[] = [
	property('become sane numbers and words', [headers], (all) => {
		const wait = retryAfterMilliseconds(all, NOW);
		if (wait !== undefined && !(wait >= 0 && Number.isFinite(wait))) throw new Error(`It waits for ${wait}`);
		if ((requestIdOf(all)?.length ?? 0) > 200) throw new Error('The request ID is too long');
		const { mimeType, extension } = mediaTypeOfFile(mediaTypeOf({ headers: all }), Buffer.from('x'));
		if (!/^[\w.+-]+\/[\w.+-]+$/.test(mimeType) || !/^[a-z0-9]+$/.test(extension)) throw new Error(mimeType);
	}),
	property(
		'lead to a value or to a failure in words',
		[headers, fc.constantFrom(200, 401, 404, 429, 500, 503, ...REDIRECTS), fc.boolean()],
		async (all, status, isPaid) => {
			const body = status === 200 ? { data: [] } : { error: { message: 'No' } };
			const { send, sent } = await clientFor([{ status, headers: all as Record<string, string>, body }]);
			const request = isPaid ? { endpoint: endpoints.chatCompletions, json: {} } : { maxRetries: 1 };
			try {
				expectPlain(await send(request));
			} catch (error) {
				expectFailure(error);
				if (leaksIn(JSON.stringify(error.toErrorItem())).length > 0)
					throw new Error('The failure has the key', { cause: error });
			}
			if (leaksOf(sent).length > 0) throw new Error(`The key went to ${leaksOf(sent).join()}`);
		},
		2,
	),
	property(
		'take the key to no other host',
		[
			fc.array(fc.tuple(fc.constantFrom(...REDIRECTS), address), { minLength: 1, maxLength: 7 }),
			fc.boolean(),
			address,
		],
		async (redirects, isPaid, link) => {
			const answers = redirects.map(([status, location]) => ({ status, headers: { location }, body: 'x' }));
			const { send, download, sent } = await clientFor([...answers, { body: { data: [] } }]);
			const request = isPaid ? { endpoint: endpoints.chatCompletions, json: {} } : {};
			const failures = await Promise.allSettled([send(request), download(link)]);
			for (const failure of failures) if (failure.status === 'rejected') expectFailure(failure.reason);
			if (leaksOf(sent).length > 0) throw new Error(`The key went to ${leaksOf(sent).join()}`);
			if (isPaid && sent.some(({ method, withKey }) => withKey && method !== 'POST' && method !== 'GET')) {
				throw new Error('Another method was sent');
			}
		},
		2,
	),
];
