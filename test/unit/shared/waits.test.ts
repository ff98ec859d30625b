import { waitIn, waitsOf } from '../../../nodes/shared/failure/waits';
import { ofStatus } from './ofStatus';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1000;

describe('How long the gateway asks to wait', () => {
	// A number of a thousand digits would be infinite.
	const long = '9'.repeat(1_000);

	it.each<[headers: object, wait: number | undefined]>([
		[{ 'retry-after': '0' }, 0],
		[{ 'retry-after': ' 12 ' }, 12_000],
		[{ 'retry-after': '1.25' }, 1_250],
		[{ 'retry-after': ' Thu, 01 Jan 2026 00:00:07 GMT ' }, 7_000],
		[{ 'retry-after': '2026-01-01T00:00:01Z' }, 1_000],
		[{ 'retry-after': '9', 'retry-after-ms': ' 1.5 ' }, 1.5],
		[{ 'retry-after': '999999999' }, 999_999_999_000],
		// A moment since the epoch is no time to wait.
		...[long, '', '12 s', 'x12', '1.', '-5', '1000000000'].map((text): [object, undefined] => [
			{ 'retry-after': text },
			undefined,
		]),
		...[long, 'soon', '-1'].map((text): [object, number] => [
			{ 'retry-after': '9', 'retry-after-ms': text },
			9_000,
		]),
		[{ 'x-retry-after': '9', 'retry-after-hint': '9' }, undefined],
		[{ 'x-retry-after-ms': '9', 'retry-after-msg': '9' }, undefined],
	])('is in Retry-After, or in milliseconds in its own header: case %#', (headers, wait) => {
		expect(waitsOf({ ...headers }, NOW)).toEqual({ askedMs: wait, resetMs: undefined });
	});
});

describe('The wait in the body of a refusal', () => {
	it.each<[string, number | undefined]>([
		['{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay": "48s"}]}', 48_000],
		[JSON.stringify({ message: '{"error":{"details":[{"retryDelay": "34.5s"}]}}' }), 34_500],
		['{"retry_after":20}', 20_000],
		['{"retry_after":"2.5"}', 2_500],
		['{"error":"The model is currently loading","estimated_time":57.25}', 57_250],
		// Codex behind CLIProxyAPI (#1666), and OpenRouter.
		['{"error":{"type":"usage_limit_reached","resets_at":1772180859,"resets_in_seconds":52}}', 52_000],
		['{"error":{"code":402,"metadata":{"headers":{"Retry-After":"120"}}}}', 120_000],
		['{"error":{"code":429,"metadata":{"retry_after_seconds":3}}}', 3_000],
		['{"retry_after":-5}', undefined],
		['{"retry_after":"soon"}', undefined],
		['Rate limit reached. Please try again in 7.66s. Visit us.', 7_660],
		['Please try again in 1m30s', 90_000],
		['Please try again in 350ms', 350],
		['Please Retry After 20 Seconds.', 20_000],
		['Please wait 61437 seconds before retrying.', 61_437_000],
		['Your rate limit resets in ~3s.', 3_000],
		['The request timed out for 60 seconds', undefined],
		// Gemini Code Assist, and gateways in front of it.
		['Your quota will reset after 2h52m39s.', 10_359_000],
		['Expected available in 1 second.', 1_000],
		['Try again in 2 minutes 5 seconds', 125_000],
		['Try again in 1 hour', 3_600_000],
		['Please wait 2 mins', 120_000],
		['Try again in 1 minute', 60_000],
		['Try again in 2 hours', 7_200_000],
		['Try again in 2h', 7_200_000],
		['请求过于频繁，请 30 秒后再试', 30_000],
		['请在15分钟后重试。', 900_000],
		['您的额度将于 2 小时之后重置', 7_200_000],
		['请 1 小时以后再试', 3_600_000],
		['账号将在 5 分钟后恢复', 300_000],
		['模型在 20 秒后开始', undefined],
		// New API.
		['您已达到总请求数限制：1分钟内最多请求10次，包括失败次数', undefined],
		['Try again later. It took 20 seconds', undefined],
		['Try again with 5 messages', undefined],
		['The model took 20 seconds', undefined],
		['Too many requests', undefined],
	])('of %s is %j ms', (text, wait) => {
		expect(waitIn(text, 0)).toBe(wait);
	});
});

describe('When a limit begins anew', () => {
	const used = { 'x-ratelimit-remaining-requests': '0' };

	it.each<[headers: object, resetMs: number | undefined]>([
		[{ 'x-ratelimit-reset-requests': '1m40s' }, 100_000],
		[{ 'x-ratelimit-reset-tokens': '250ms' }, 250],
		[{ 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
		[{ 'x-ratelimit-reset': '1d2h' }, 93_600_000],
		[{ 'x-ratelimit-reset': '59.5' }, 59_500],
		[{ 'x-ratelimit-reset': String(SECONDS + 7) }, 7_000],
		[{ 'x-ratelimit-reset': String(NOW + 1_500) }, 1_500],
		[{ 'x-ratelimit-reset': String(SECONDS - 7) }, 0],
		[{ 'x-ratelimit-reset': '1.25s' }, 1_250],
		[{ 'x-ratelimit-reset': '999999999' }, 999_999_999_000],
		// From here on, seconds since the epoch; from the next row on, milliseconds.
		[{ 'x-ratelimit-reset': '1000000000' }, 0],
		[{ 'x-ratelimit-reset': '100000000000' }, 0],
		[{ 'x-ratelimit-reset': 'in 5s' }, undefined],
		[{ 'x-ratelimit-reset': '5s left' }, undefined],
		[{ 'my-ratelimit-reset': '5s', 'x-ratelimit-reset2': '5s' }, undefined],
		[{ 'x-anthropic-ratelimit-requests-reset': '2026-01-01T00:00:09Z' }, undefined],
		[{ 'anthropic-ratelimit-requests-reset-at': '2026-01-01T00:00:09Z' }, undefined],
		[{ 'ratelimit-reset': '30' }, 30_000],
		[{ 'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:09Z' }, 9_000],
		[{ 'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:03.250Z' }, 3_250],
		// Of several limits, the longest that is used up.
		[{ 'x-ratelimit-reset-requests': '2s', 'x-ratelimit-reset-tokens': '6m0s' }, 2_000],
		[{ 'x-ratelimit-reset-requests': '9s', 'x-ratelimit-reset-tokens': '2s', ...used }, 9_000],
		[
			{
				'x-ratelimit-reset-requests': '9s',
				'x-ratelimit-reset-tokens': '2s',
				'x-ratelimit-remaining-tokens': '0',
				...used,
			},
			9_000,
		],
		[
			{
				'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:09Z',
				'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:01Z',
				'anthropic-ratelimit-tokens-remaining': '0',
			},
			9_000,
		],
		[{ 'x-ratelimit-reset-requests': 'soon' }, undefined],
		[{ 'x-ratelimit-limit-requests': '60' }, undefined],
		[{}, undefined],
	])('is in the headers of OpenAI, OpenRouter, GitHub, and Anthropic: %j', (headers, resetMs) => {
		expect(waitsOf({ ...headers }, NOW)).toEqual({ askedMs: undefined, resetMs });
	});

	it.each([
		[`{"metadata":{"headers":{"X-RateLimit-Reset":"${NOW + 4_000}"}}}`, 4_000],
		[`{"X-RateLimit-Reset": ${NOW + 4_000}}`, 4_000],
		['{"retry_after":1.25}', 1_250],
		['{"retryDelay": "27.55s"}', 27_550],
	])('may be in a field of the body, as OpenRouter repeats the headers of its provider: %s', (body, wait) => {
		expect(waitIn(body, NOW)).toBe(wait);
	});

	it.each<[string, number | undefined]>([
		['[1308][已达到 5 小时的使用上限。您的限额将在 2026-01-01 08:00:07 重置。][20260101]', 7_000],
		['Usage limit reached for 5 hour. Your limit will reset at 2026-01-01 13:00:00', 18_000_000],
		['限额将在2026-01-01 08:00:07重置', 7_000],
		['Your limit will reset at 2026-01-01 07:59:59', 0],
		...[' UTC', ' GMT', 'Z', '+00:00'].map((zone): [string, undefined] => [
			`Your limit will reset at 2026-01-01 00:00:07${zone}`,
			undefined,
		]),
		['Your limit will reset at 2026-13-41 00:00:07', undefined],
		['Your limit will reset at 2pm', undefined],
	])('may be in words of Zhipu and Z.ai, in Beijing time: %s', (words, wait) => {
		expect(waitIn(words, NOW)).toBe(wait);
	});

	it('only matters after a refusal, and less than what the gateway asks for', () => {
		const waitOf = (status: number, more: object) => ofStatus({ status }, {}, more).verdict.waitMs;
		expect(waitOf(429, { resetMs: 5 })).toBe(5);
		expect(waitOf(429, { resetMs: 5, waitMs: 1 })).toBe(1);
		expect(ofStatus({ status: 503 }, {}, { resetMs: 5 }).verdict).toMatchObject({
			again: 'soon',
			waitMs: undefined,
		});
	});
});
