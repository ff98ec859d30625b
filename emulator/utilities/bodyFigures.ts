/** The subject of the health figures. */
export interface Person {
	/** Height in cm. */
	height: number;
	/** Weight in kg. */
	weight: number;
	/** Age in years. */
	age: number;
	isMale: boolean;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** Body figures by the usual formulas, in kg, kcal per day, m², ml and percent. */
export function bodyFigures({ height, weight, age, isMale }: Person) {
	const metres = height / 100;
	const bmi = weight / metres ** 2;
	// Deurenberg's estimate, clamped to a plausible range.
	const fat = Math.min(Math.max(1.2 * bmi + 0.23 * age - (isMale ? 16.2 : 5.4), 3), 50);
	// Harris and Benedict, as revised in 1984.
	const bmr = isMale
		? 88.362 + 13.397 * weight + 4.799 * height - 5.677 * age
		: 447.593 + 9.247 * weight + 3.098 * height - 4.33 * age;
	const fatWeight = oneDecimal((weight * fat) / 100);
	return {
		bmi: Math.round(bmi * 100) / 100,
		idealWeight: { low: oneDecimal(18.5 * metres ** 2), high: oneDecimal(24 * metres ** 2) },
		standardWeight: oneDecimal(height - 105),
		bmr: Math.round(bmr),
		// Light activity.
		tdee: Math.round(bmr * 1.6),
		// Du Bois formula.
		surface: Math.round(0.007184 * weight ** 0.425 * height ** 0.725 * 100) / 100,
		fatPercentage: oneDecimal(fat),
		fatWeight,
		leanWeight: oneDecimal(weight - fatWeight),
		water: Math.round((weight * 33) / 250) * 250,
	};
}

const bmiGrades: ReadonlyArray<[below: number, category: string, evaluation: string, risk: string]> = [
	[18.5, '体重过轻', '体重不足，可适当增重', '营养不良风险'],
	[24, '正常体重', '体重正常，请保持', '健康风险较低'],
	[28, '超重', '体重超出正常范围，建议减重', '慢性病风险增加'],
	[Infinity, '肥胖', '肥胖，需要积极减重', '高血压、糖尿病等疾病风险明显增加'],
];

/** Category, evaluation and risk of a body mass index, by the Chinese thresholds. */
export function bmiGrade(bmi: number): { category: string; evaluation: string; risk: string } {
	const [, category, evaluation, risk] = bmiGrades.find(([below]) => bmi < below)!;
	return { category, evaluation, risk };
}

/** Category of a body fat percentage. */
export function fatGrade(percentage: number, isMale: boolean): string {
	const limits = isMale ? [10, 15, 20] : [16, 24, 30];
	const index = limits.findIndex((limit) => percentage < limit);
	return ['极低', '正常', '略高', '过高'][index < 0 ? 3 : index];
}
