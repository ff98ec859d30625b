import { endpoints } from '../../../nodes/shared/send/endpoints';
import { laneKeyOf } from '../../../nodes/shared/send/pace';

describe('The lane of a request', () => {
	it('is its method, its path, and its model', () => {
		expect(laneKeyOf(endpoints.chatCompletions, { model: 'gpt', messages: [] })).toBe(
			'POST /v1/chat/completions gpt',
		);
		expect(laneKeyOf(endpoints.chatCompletions, { model: 'other' })).not.toBe(
			laneKeyOf(endpoints.chatCompletions, { model: 'gpt' }),
		);
		expect(laneKeyOf({ ...endpoints.rerank, method: 'GET' }, undefined)).toBe('GET /v1/rerank');
	});

	it('has no model if the body names none, or something else than a name', () => {
		for (const body of [undefined, null, 'text', [], {}, { model: 7 }, { model: null }]) {
			expect(laneKeyOf(endpoints.models, body)).toBe('GET /v1/models');
		}
	});

	it('has at most 200 characters', () => {
		expect(laneKeyOf(endpoints.chatCompletions, { model: 'm'.repeat(1000) })).toHaveLength(200);
	});
});
