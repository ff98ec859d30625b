import { systemClock } from '../../../nodes/shared/limiter/clock';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { retryRun } from '../engine/retry';
import { runWorkflow } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

const MORNING = '2026-08-21T06:30:00+08:00';
const NOON = '2026-08-21T12:00:00+08:00';
const [YESTERDAY, TODAY] = ['2026-08-20', '2026-08-21'];

let now = 0;
const gateway = useNode('utilities', {}, { now: () => now, newsHour: 8 });
const original = systemClock.date;
beforeAll(() => (systemClock.date = () => now));
afterAll(() => (systemClock.date = original));

/** Runs an operation at a time, in a workflow of a time zone. */
async function runAt(time: string, operation: string, parameters: object = {}, timezone = 'Asia/Shanghai') {
	now = Date.parse(time);
	const workflow = { ...gateway.workflow({ operation, ...parameters }), settings: { timezone } };
	const result = await runWorkflow(workflow, { credential: gateway.credential() });
	return { ...result, workflow, dates: [...new Set(result.items.map(({ json }) => json.date))] };
}
const sentCount = () => gateway.emulator.journal.count('GET /v2/*');

const dated = catalogue
	.filter(({ day }) => day)
	.flatMap(({ value, encodings, parameters }) => {
		const forms = encodings.flatMap((encoding) =>
			(encoding === 'json' ? [true, false] : [false]).map((splitOutLists) => ({ encoding, splitOutLists })),
		);
		return forms
			.filter(({ encoding }) => encoding !== 'image-proxy')
			.map((form) => ({ value, hasDate: parameters.some(({ name }) => name === 'date'), ...form }));
	});
const digests = dated.filter(({ hasDate, encoding }) => hasDate && ['json', 'text'].includes(encoding));

describe('The day of a response', () => {
	it.each(dated)('is in the output: $value as $encoding, $splitOutLists', async ({ value, ...form }) => {
		const { dates, hints } = await runAt(NOON, value, form);
		expect(dates).toEqual([TODAY]);
		expect(hints).toEqual([]);
	});

	it.each(digests)(
		'is in a hint if it is not that of today: $value as $encoding, $splitOutLists',
		async ({ value, ...form }) => {
			const { dates, hints } = await runAt(MORNING, value, form);
			expect(dates).toEqual([YESTERDAY]);
			expect(hints).toEqual([
				`The response is of ${YESTERDAY}, not of today (${TODAY} in the time zone of the workflow)`,
			]);
		},
	);

	it.each(digests)(
		'fails if it is not Date, with what was paid for, and is not asked for again: $value as $encoding, $splitOutLists',
		async ({ value, ...form }) => {
			const asked = { ...form, options: { date: TODAY } };
			const failed = await runAt(MORNING, value, asked);
			expect(failed.error?.message).toContain(`it is of ${YESTERDAY} instead of ${TODAY}`);
			expect(failed.error).toMatchObject({ context: { data: { charge: 'certain' } } });
			expect(failed.error?.description).toContain('run the item again later, or without Date');
			expect(failed.saved).toContain(`"date":"${YESTERDAY}"`);
			// n8n's Retry On Fail does not pay again, but a person may.
			const credential = gateway.credential();
			await retryRun(failed.workflow, failed, { credential });
			expect(sentCount()).toBe(1);
			now = Date.parse(NOON);
			const { items } = await retryRun(failed.workflow, failed, { credential, executionId: '4700001' });
			expect(sentCount()).toBe(2);
			expect(items[0].json.date).toBe(TODAY);
		},
	);

	it('leaves the picture of another day with the failure, because it is paid for', async () => {
		now = Date.parse(MORNING);
		const parameters = { operation: 'worldNews', encoding: 'image', options: { date: TODAY } };
		const { items } = await gateway.run(parameters, { onError: 'continueRegularOutput' });
		expect(items[0].json.error).toContain(`it is of ${YESTERDAY} instead of ${TODAY}`);
		expect(items[0].binary?.data.mimeType).toMatch(/^image/);
	});

	it('is that of the workflow, wherever the gateway is', async () => {
		const evening = '2026-08-20T20:00:00-04:00';
		const abroad = await runAt(evening, 'worldNews', {}, 'America/New_York');
		expect(abroad.hints[0]).toContain(`of ${TODAY}, not of today (${YESTERDAY}`);
		expect((await runAt(evening, 'worldNews', {}, 'Asia/Shanghai')).hints).toEqual([]);
	});

	it('is Date, if the gateway has it', async () => {
		const options = { date: '2026-08-03' };
		const { dates, hints } = await runAt(NOON, 'todayInHistory', { options });
		expect([dates, hints]).toEqual([['2026-08-03'], []]);
	});

	it('is that of each entry if there are several', async () => {
		const data = { date: 'all', news: ['2026-08-21', '2026-08-19'].map((date) => ({ title: date, date })) };
		gateway.fail('GET /v2/*', { kind: 'status', status: 200, body: { code: 200, message: 'ok', data } });
		const { dates, hints } = await runAt(NOON, 'aiNews', { options: { all: true } });
		expect([dates, hints]).toEqual([['2026-08-21', '2026-08-19'], []]);
	});

	it('is that of the response for a picture behind an address', async () => {
		const data = { date: TODAY, image: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' };
		gateway.fail('GET /v2/*', { kind: 'status', status: 200, body: { code: 200, message: 'ok', data } });
		const { items, dates } = await runAt(NOON, 'worldNews', { encoding: 'image' });
		expect(items[0].binary?.data.mimeType).toBe('image/gif');
		expect(dates).toEqual([TODAY]);
	});

	it('is that in the address of a picture if the response does not say it', async () => {
		const image = `${gateway.emulator.url}/__emulator/files/news-${YESTERDAY}.gif`;
		gateway.fail('GET /v2/*', { kind: 'status', status: 200, body: { code: 200, data: { image } } });
		const picture = { status: 200, body: 'GIF89a, and so on', contentType: 'image/gif' };
		gateway.fail('GET /__emulator/*', { kind: 'status', ...picture });
		const { dates, hints } = await runAt(NOON, 'worldNews', { encoding: 'image' });
		expect(dates).toEqual([YESTERDAY]);
		expect(hints[0]).toContain(`The response is of ${YESTERDAY}`);
	});

	it('is unknown of a picture whose address names only the day that was asked for', async () => {
		const picture = { status: 200, body: 'GIF89a, and so on', contentType: 'image/gif' };
		gateway.fail('GET /v2/*', { kind: 'status', ...picture });
		const options = { date: TODAY };
		const { dates, items } = await runAt(NOON, 'worldNews', { encoding: 'image', options });
		expect(items[0].binary?.data.mimeType).toBe('image/gif');
		expect(dates).toEqual([undefined]);
	});

	it.each(['1. 8月3日，下雨', '1、8月3日，下雨', `${'新闻'.repeat(100)}8月3日`])(
		'is unknown of a response that does not say it, which is no failure: %s',
		async (text) => {
			gateway.fail('GET /v2/*', { kind: 'status', status: 200, body: text, contentType: 'text/plain' });
			const { items, error, hints } = await runAt(NOON, 'worldNews', { options: { date: TODAY } });
			expect([items[0].json, error, hints]).toEqual([{ text }, undefined, []]);
		},
	);
});
