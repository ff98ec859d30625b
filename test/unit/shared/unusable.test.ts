import { answerFailure } from '../../../nodes/shared/errors/errorMessages';
import { unusable } from '../../../nodes/shared/answer/unusable';

describe('A response that cannot be used', () => {
	it('is kept in the failure, at most 100,000 characters of it', () => {
		const body = { id: 'embd-1', data: 'x'.repeat(200_000) };
		const { facts } = unusable(answerFailure('it has no results'), body);
		const kept = facts.partial?.answer as unknown as typeof body;
		expect(kept.id).toBe('embd-1');
		expect(kept.data.length).toBeGreaterThan(99_000);
		expect(kept.data.length).toBeLessThan(100_000);
	});

	it('is not mentioned if it is null', () => {
		expect(unusable(answerFailure('it has no results'), null).facts).not.toHaveProperty('partial');
	});
});
