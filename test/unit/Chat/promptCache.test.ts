import { withCacheMarks } from '../../../nodes/Chat/formats/promptCache';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (value: string) => ({ type: 'text', text: value });

describe('A request with cache marks', () => {
	it('has one at the end of the tools, of the system prompt, and of the last message', () => {
		const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
		const body = {
			model: 'm',
			tools: [{ name: 'a' }, { name: 'b' }],
			system: [text('one'), text('two')],
			messages: [
				{ role: 'user', content: 'first' },
				{ role: 'user', content: [text('second'), image] },
			],
		};
		expect(withCacheMarks(body, '5m')).toEqual({
			model: 'm',
			tools: [{ name: 'a' }, { name: 'b', ...mark }],
			system: [text('one'), { ...text('two'), ...mark }],
			messages: [
				{ role: 'user', content: 'first' },
				{ role: 'user', content: [text('second'), { ...image, ...mark }] },
			],
		});
	});

	it('does not change the request that it is made of', () => {
		const body = { system: 'Be brief.', messages: [{ role: 'user', content: 'Hello' }] };
		const before = structuredClone(body);
		withCacheMarks(body, '1h');
		expect(body).toEqual(before);
	});

	it.each([
		{ messages: [{ role: 'user', content: [{ ...text('one'), ...mark }, text('two')] }] },
		{ system: [{ ...text('one'), ...mark }], messages: [{ role: 'user', content: 'two' }] },
		{ tools: [{ name: 'a', ...mark }], messages: [] },
	])('stays as it is if it has marks of its own: %j', (body) => {
		expect(withCacheMarks(body, '5m')).toBe(body);
	});

	it('has none where there is nothing to keep', () => {
		const body = { system: '', messages: [{ role: 'user', content: '' }] };
		expect(JSON.stringify(withCacheMarks(body, '5m'))).not.toContain('cache_control');
	});
});
