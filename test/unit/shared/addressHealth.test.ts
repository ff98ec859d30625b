import { AddressHealth } from '../../../nodes/shared/send/reach';
import { credentialStateOf } from '../../../nodes/shared/send/credentialState';
import { FakeClock } from '../fakeClock';

const [BASE, OTHER] = ['https://gateway.example/v1/models', 'https://other.example/v1/models'];

describe('The addresses of a gateway', () => {
	let clock: FakeClock;
	let addresses: AddressHealth;
	beforeEach(() => {
		clock = new FakeClock();
		addresses = new AddressHealth(clock);
	});
	const first = () => addresses.inOrder([BASE, OTHER])[0];

	it('are tried in their order', () => {
		expect(addresses.inOrder([BASE, OTHER])).toEqual([BASE, OTHER]);
		addresses.notConnected(OTHER);
		expect(addresses.inOrder([BASE, OTHER])).toEqual([BASE, OTHER]);
	});

	it('are tried as usual once they could be reached again', async () => {
		addresses.notConnected(BASE);
		addresses.connected(OTHER, clock.now());
		expect(first()).toBe(OTHER);
		addresses.connected(BASE, clock.now());
		expect(first()).toBe(BASE);
	});

	it('do not count as reachable because of a request that was sent before they failed', () => {
		const before = clock.now() - 1;
		addresses.notConnected(BASE);
		addresses.connected(BASE, before);
		expect(first()).toBe(OTHER);
	});

	it('are tried again by one request every 30 seconds, until one gets through', async () => {
		addresses.notConnected(BASE);
		await clock.run(clock.sleep(29_999));
		expect(first()).toBe(OTHER);
		await clock.run(clock.sleep(1));
		expect([first(), first(), first()]).toEqual([BASE, OTHER, OTHER]);
		await clock.run(clock.sleep(30_000));
		expect([first(), first()]).toEqual([BASE, OTHER]);
		addresses.connected(BASE, clock.now());
		expect([first(), first()]).toEqual([BASE, BASE]);
	});

	it('are tried in their order if none can be reached', () => {
		addresses.notConnected(BASE);
		expect(addresses.inOrder([BASE])).toEqual([BASE]);
		addresses.notConnected(OTHER);
		expect(addresses.inOrder([BASE, OTHER])).toEqual([BASE, OTHER]);
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
