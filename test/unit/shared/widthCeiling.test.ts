import { WidthCeiling } from '../../../nodes/shared/limiter/widthCeiling';

describe('What a gateway refuses at once', () => {
	let ceiling: WidthCeiling;
	let number: number;
	let now: number;
	beforeEach(() => {
		ceiling = new WidthCeiling();
		number = 0;
		now = 0;
	});
	/** A request is refused at once. @param after how many others were sent since the one before */
	const refuse = (inProgress: number, { after = 0, isAsked = false, takesMs = 5 } = {}) => {
		number += after + 1;
		now += 10;
		return ceiling.refused({ number, inProgress, sentAt: now }, (now += takesMs), isAsked);
	};
	const accept = (times: number, together: number, width: number) => {
		let rises = 0;
		for (let time = 0; time < times; time++) rises += ceiling.accepted(together, width) ? 1 : 0;
		return rises;
	};

	it('is one more than it processes, if it has never processed as much', () => {
		expect([ceiling.highest, ceiling.proven]).toEqual([Infinity, 0]);
		accept(5, 10, 30);
		expect(refuse(21)).toBe(20);
		expect([ceiling.highest, ceiling.proven]).toEqual([20, 10]);
		expect(refuse(19, { after: 3 })).toBe(18);
	});

	it('is tried again with one more, each time after twice as many requests', () => {
		accept(5, 10, 30);
		refuse(11);
		expect(accept(19, 10, 10)).toBe(0);
		expect(accept(1, 10, 10)).toBe(1);
		expect(ceiling.highest).toBe(11);
		expect(refuse(11)).toBe(10);
		expect(accept(31, 10, 10)).toBe(0);
		expect(accept(1, 10, 10)).toBe(1);
	});

	it('is not tried again while fewer requests are allowed anyway', () => {
		accept(5, 10, 30);
		refuse(11);
		expect(accept(1000, 5, 5)).toBe(0);
	});

	it('rises faster once more was accepted', () => {
		accept(5, 10, 30);
		refuse(11);
		accept(20, 10, 10);
		expect(accept(1, 11, 11)).toBe(1);
		expect(ceiling.highest).toBe(14);
		expect(accept(1, 14, 14)).toBe(1);
		expect(ceiling.highest).toBe(18);
	});

	it('is half as much, three times at most, if several in a row are refused although as much was accepted before', () => {
		accept(100, 40, 40);
		expect([refuse(40), refuse(39), refuse(38)]).toEqual([undefined, undefined, 19]);
		accept(1, 0, 19);
		expect([refuse(19, { after: 5 }), refuse(18), refuse(17)]).toEqual([18, 17, 8.5]);
		expect([refuse(9, { after: 5 }), refuse(8), refuse(7)]).toEqual([8, 7, 3.5]);
		expect(refuse(6)).toBe(undefined);
		expect(ceiling.highest).toBe(Infinity);
	});

	it('says nothing if single requests are refused, if the gateway asks to wait, or if hardly anything is in progress', () => {
		accept(100, 40, 40);
		const single = [1, 2, 3, 4, 5].map(() => refuse(40, { after: 2 }));
		const asked = [1, 2, 3, 4].map(() => refuse(40, { isAsked: true }));
		const few = [1, 2, 3, 4].map(() => refuse(4));
		expect([...single, ...asked, ...few].every((width) => width === undefined)).toBe(true);
		expect(ceiling.highest).toBe(Infinity);
	});

	it('knows after which time a request would have been refused', () => {
		expect(ceiling.refusalMs).toBe(Infinity);
		refuse(5, { takesMs: 100 });
		refuse(5, { takesMs: 20 });
		expect(ceiling.refusalMs).toBe(150);
	});
});
