/** A filter with two poles and two zeros (direct form II, transposed). */
interface Coefficients {
	b0: number;
	b1: number;
	b2: number;
	a1: number;
	a2: number;
}

/** The head of a listener, as a shelf above 1.7 kHz (ITU-R BS.1770-5, annex 1, for any sample rate). */
function headShelf(sampleRate: number): Coefficients {
	const [frequency, gainDb, quality] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
	const k = Math.tan((Math.PI * frequency) / sampleRate);
	const high = 10 ** (gainDb / 20);
	const band = high ** 0.4996667741545416;
	const a0 = 1 + k / quality + k * k;
	return {
		b0: (high + (band * k) / quality + k * k) / a0,
		b1: (2 * (k * k - high)) / a0,
		b2: (high - (band * k) / quality + k * k) / a0,
		a1: (2 * (k * k - 1)) / a0,
		a2: (1 - k / quality + k * k) / a0,
	};
}

/** Low frequencies count less (the same, second filter). */
function lowCut(sampleRate: number): Coefficients {
	const [frequency, quality] = [38.13547087602444, 0.5003270373238773];
	const k = Math.tan((Math.PI * frequency) / sampleRate);
	const a0 = 1 + k / quality + k * k;
	return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / quality + k * k) / a0 };
}

/** A filter for one channel. */
function filter({ b0, b1, b2, a1, a2 }: Coefficients): (sample: number) => number {
	let first = 0;
	let second = 0;
	return (sample) => {
		const output = b0 * sample + first;
		first = b1 * sample - a1 * output + second;
		second = b2 * sample - a2 * output;
		return output;
	};
}

/** Weights the samples of one channel as people hear them. */
export function kWeighting(sampleRate: number): (sample: number) => number {
	const shelf = filter(headShelf(sampleRate));
	const cut = filter(lowCut(sampleRate));
	return (sample) => cut(shelf(sample));
}

/** How much the energy of a frequency counts. @param frequency Hertz, at most half the sample rate */
export function frequencyWeight(sampleRate: number, frequency: number): number {
	const turn = (2 * Math.PI * frequency) / sampleRate;
	return [headShelf(sampleRate), lowCut(sampleRate)].reduce(
		(gain, filter) => gain * responseOf(filter, turn),
		1,
	);
}

/** The square of a filter's gain at an angle. */
function responseOf({ b0, b1, b2, a1, a2 }: Coefficients, turn: number): number {
	const size = (zero: number, one: number, two: number) =>
		(zero + one * Math.cos(turn) + two * Math.cos(2 * turn)) ** 2 +
		(one * Math.sin(turn) + two * Math.sin(2 * turn)) ** 2;
	return size(b0, b1, b2) / size(1, a1, a2);
}
