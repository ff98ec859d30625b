import { GatewayClient } from '../../../nodes/shared/send/client';
import { readText } from '../../../nodes/shared/answer/answerReaders';
import type { DownloadOptions } from '../../../nodes/shared/send/download';
import type { FakeAnswer, FakeSettings } from './fakeContext';
import { BUSY, gatewayWith, networkError, UNCLEAR } from './fakeGateway';

describe('A download', () => {
	const FILE = 'https://files.example/a.png';
	const downloadOf = async (
		answers: Array<FakeAnswer | Error>,
		url = FILE,
		options: DownloadOptions = {},
		settings: FakeSettings = {},
	) => {
		const { context, clock, sent, times } = gatewayWith(answers, settings);
		const client = await GatewayClient.of(context.execute, { clock });
		const outcome = await clock
			.run(client.download(url, readText, options))
			.catch((failure: unknown) => failure);
		return { outcome, sent, times };
	};

	it('carries no key, not even to the gateway, and may have a path for an address', async () => {
		const { outcome, sent } = await downloadOf([{ body: 'file' }]);
		expect(outcome).toBe('file');
		expect(sent).toMatchObject([{ method: 'GET', url: FILE, withKey: false, timeout: 60_000 }]);
		const own = await downloadOf([{ body: 'file' }], '/files/a.png');
		expect(own.sent).toMatchObject([{ url: 'https://gateway.example/files/a.png', withKey: false }]);
	});

	it('is repeated like everything that reads', async () => {
		const { outcome, sent, times } = await downloadOf([UNCLEAR, { body: 'file' }]);
		expect([outcome, sent.length]).toEqual(['file', 2]);
		expect(times[1]).toBeGreaterThan(0);
	});

	it('fails with its link, because the file is paid for', async () => {
		const { outcome, sent } = await downloadOf([BUSY], FILE, { maxRetries: 2, timeoutSeconds: 7 });
		expect(outcome).toMatchObject({
			kind: 'download',
			message: 'The file could not be downloaded from files.example (status 503, tried 3 times: Busy)',
			facts: { partial: { url: FILE }, status: 503 },
		});
		expect(sent).toHaveLength(3);
		expect(sent[0].timeout).toBe(7_000);
	});

	it('is not repeated if that cannot help, or takes more than ten minutes', async () => {
		const missing = await downloadOf([{ status: 410 }]);
		expect(missing.outcome).toMatchObject({ message: expect.stringContaining('(status 410)') });
		expect(missing.sent).toHaveLength(1);
		const late = await downloadOf([{ ...BUSY, headers: { 'retry-after': '601' } }]);
		expect(late.sent).toHaveLength(1);
	});

	it('waits for a file that is there some seconds later', async () => {
		const { outcome, sent } = await downloadOf([{ status: 404 }, { status: 404 }, { body: 'file' }]);
		expect([outcome, sent.length]).toEqual(['file', 3]);
		const never = await downloadOf(Array(4).fill({ status: 404 }));
		expect(never.outcome).toMatchObject({ message: expect.stringContaining('status 404, tried 4 times') });
	});

	it('fails with the words of any other problem', async () => {
		const { outcome } = await downloadOf([networkError('ENOTFOUND', 'getaddrinfo')], FILE, { maxRetries: 0 });
		expect(outcome).toMatchObject({
			kind: 'download',
			message: expect.stringMatching(/\(the address files\.example does not exist\)$/),
		});
	});

	it.each([['data:image/png;base64,AA'], ['ftp://files.example/a'], ['https://']])(
		'is impossible from %s',
		async (url) => {
			const { outcome, sent } = await downloadOf([{ body: 'file' }], url);
			expect(outcome).toMatchObject({
				kind: 'download',
				message: expect.stringContaining('the link is not a valid web address'),
				facts: { partial: { url } },
			});
			expect(sent).toEqual([]);
		},
	);

	it('keeps its link when the execution is stopped', async () => {
		const cancel = new AbortController();
		const respond = () => {
			cancel.abort();
			throw new Error('aborted');
		};
		const { outcome } = await downloadOf([], FILE, {}, { signal: cancel.signal, respond });
		expect(outcome).toMatchObject({ kind: 'cancelled', facts: { partial: { url: FILE } } });
	});
});
