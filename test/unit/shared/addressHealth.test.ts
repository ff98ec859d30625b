import { AddressHealth, credentialStateOf } from '../../../nodes/shared/pacing/credentialState';
import { FakeClock } from '../fakeClock';

const [BASE, OTHER] = ['https://gateway.example/v1/models', 'https://other.example/v1/models'];

describe('The addresses of a gateway', () => {
	let clock: FakeClock;
	let addresses: AddressHealth;
	beforeEach(() => {
		clock = new FakeClock();
		addresses = new AddressHealth(clock);
	});
	const failures = (url: string, count: number) => {
		for (let failed = 0; failed < count; failed++) addresses.notConnected(url);
	};

	it('are tried in their order', () => {
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
		failures(OTHER, 2);
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
	});

	it('are skipped after two failed connections in a row', () => {
		failures(BASE, 1);
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
		failures(BASE, 1);
		expect(addresses.pick([BASE, OTHER])).toBe(OTHER);
		// The same host with another path.
		expect(addresses.pick(['https://gateway.example/v1/x', OTHER])).toBe(OTHER);
	});

	it('are not skipped if they could be reached meanwhile', () => {
		failures(BASE, 1);
		addresses.connected(BASE);
		failures(BASE, 1);
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
		failures(BASE, 1);
		addresses.connected(OTHER);
		expect(addresses.pick([BASE, OTHER])).toBe(OTHER);
	});

	it('are tried again after 30 seconds', async () => {
		failures(BASE, 2);
		await clock.run(clock.sleep(29_999));
		expect(addresses.pick([BASE, OTHER])).toBe(OTHER);
		await clock.run(clock.sleep(1));
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
	});

	it('are tried nevertheless if none can be reached', () => {
		failures(BASE, 2);
		expect(addresses.pick([BASE])).toBe(BASE);
		failures(OTHER, 2);
		expect(addresses.pick([BASE, OTHER])).toBe(BASE);
	});
});

describe('The state of a credential', () => {
	const clock = new FakeClock();
	const stateOf = (...[identity, perMinute = 0]: [unknown[], number?]) =>
		credentialStateOf(identity, perMinute, clock);

	it('is shared by everything that uses the credential, and by nothing else', () => {
		const state = stateOf(['base', 'key']);
		expect(stateOf(['base', 'key'])).toBe(state);
		for (const other of [
			stateOf(['base', 'other']),
			stateOf(['basekey', '']),
			stateOf(['base', 'key'], 60),
		]) {
			expect(other).not.toBe(state);
		}
	});

	it('is forgotten when 200 others are newer', () => {
		const state = stateOf(['oldest']);
		for (let count = 0; count < 199; count++) stateOf(['newer', count]);
		expect(stateOf(['oldest'])).toBe(state);
		stateOf(['newest']);
		expect(stateOf(['oldest'])).not.toBe(state);
	});
});
