import { bmiGrade, bodyFigures, fatGrade, type Person } from './bodyFigures';

/** Values together with their Chinese names, as the endpoint returns them: `bmr` and `bmr_desc`. */
function described<Key extends string, Value>(entries: Record<Key, readonly [value: Value, name: string]>) {
	return Object.fromEntries(
		Object.entries<readonly [Value, string]>(entries).flatMap(([key, [value, name]]) => [
			[key, value],
			[`${key}_desc`, name],
		]),
	) as Record<Key, Value> & Record<`${Key}_desc`, string>;
}

function tipsFor(bmi: number, { age, isMale }: Person): string[] {
	const tips: ReadonlyArray<[applies: boolean, tip: string]> = [
		[true, '每天保证 7 至 9 小时睡眠'],
		[true, '定期体检，及早发现问题'],
		[true, '保持好心情，学会放松'],
		[bmi < 18.5, '注意营养均衡，避免过度疲劳'],
		[bmi >= 24, '控制食量，细嚼慢咽'],
		[bmi >= 24, '减少久坐，多走动'],
		[age <= 30, '作息规律，劳逸结合'],
		[age <= 30, '用眼一小时后休息片刻'],
		[age > 30 && age <= 50, '关注血压与血脂'],
		[age > 30 && age <= 50, '每周至少 150 分钟中等强度运动'],
		[age > 50, '注意居家安全，预防跌倒'],
		[age > 50, '多参加社交活动'],
		[!isMale && age >= 45, '关注骨骼健康，补充钙质'],
		[isMale && age >= 40, '少烟少酒，保护心血管'],
		[true, '培养兴趣爱好，保持积极的心态'],
		[true, '多喝水，少喝含糖饮料'],
	];
	return tips.filter(([applies]) => applies).map(([, tip]) => tip);
}

const exerciseByCategory: Record<string, string> = {
	体重过轻: '以力量训练为主，每周 3 次',
	正常体重: '有氧与力量训练结合，每周 3 至 5 次',
	超重: '增加有氧运动，每周 5 次，每次 40 分钟',
	肥胖: '从散步、游泳等低冲击运动开始，循序渐进',
};
const nutritionByCategory: Record<string, string> = {
	体重过轻: '增加优质蛋白与餐次',
	正常体重: '均衡饮食，定时定量',
	超重: '控制总热量，多吃蔬菜水果',
	肥胖: '减少高糖高脂食物，必要时咨询营养师',
};

function adjustment(weight: number, low: number, high: number): { status: string; adjustment: string } {
	if (weight < low) return { status: '体重偏轻', adjustment: `建议增重 ${(low - weight).toFixed(1)}kg` };
	if (weight > high) return { status: '体重偏重', adjustment: `建议减重 ${(weight - high).toFixed(1)}kg` };
	return { status: '体重正常', adjustment: '保持当前体重' };
}

/** The data of the health endpoint. */
export function healthReport(person: Person) {
	const { height, weight, age, isMale } = person;
	const figures = bodyFigures(person);
	const { low, high } = figures.idealWeight;
	const grade = bmiGrade(figures.bmi);
	const weightAdvice = adjustment(weight, low, high);
	const perDay = (calories: number) => `${calories} 卡路里/天`;
	const share = (part: number) => `${Math.round(height * part)}cm`;
	const measures = isMale ? { chest: 0.48, waist: 0.42, hip: 0.47 } : { chest: 0.51, waist: 0.37, hip: 0.53 };
	return {
		basic_info: described({
			height: [`${height}cm`, '身高'],
			weight: [`${weight}kg`, '体重'],
			gender: [isMale ? '男性' : '女性', '性别'],
			age: [`${age}岁`, '年龄'],
		}),
		bmi: {
			...described({ value: [figures.bmi, 'BMI 值'] }),
			...described({
				category: [grade.category, 'BMI 分类'],
				evaluation: [grade.evaluation, 'BMI 评价'],
				risk: [grade.risk, '健康风险'],
			}),
		},
		weight_assessment: described({
			ideal_weight_range: [`${low}-${high}kg`, '理想体重范围'],
			standard_weight: [`${figures.standardWeight}kg`, '标准体重'],
			status: [weightAdvice.status, '体重状态'],
			adjustment: [weightAdvice.adjustment, '调整建议'],
		}),
		metabolism: described({
			bmr: [perDay(figures.bmr), '基础代谢率'],
			tdee: [perDay(figures.tdee), '每日总消耗'],
			recommended_calories: [perDay(figures.tdee), '推荐摄入'],
			weight_loss_calories: [perDay(figures.tdee - 500), '减重摄入'],
			weight_gain_calories: [perDay(figures.tdee + 300), '增重摄入'],
		}),
		body_surface_area: described({
			value: [`${figures.surface}m²`, '体表面积'],
			formula: ['Du Bois 公式', '计算公式'],
		}),
		body_fat: described({
			percentage: [`${figures.fatPercentage}%`, '体脂率'],
			category: [fatGrade(figures.fatPercentage, isMale), '体脂分类'],
			fat_weight: [`${figures.fatWeight}kg`, '脂肪重量'],
			lean_weight: [`${figures.leanWeight}kg`, '瘦体重'],
		}),
		health_advice: {
			...described({
				daily_water_intake: [`${figures.water}ml (约 ${figures.water / 250} 杯水)`, '每日饮水量'],
				exercise_recommendation: [exerciseByCategory[grade.category], '运动建议'],
				nutrition_advice: [nutritionByCategory[grade.category], '营养建议'],
			}),
			...described({ health_tips: [tipsFor(figures.bmi, person), '健康提示'] }),
		},
		ideal_measurements: described({
			chest: [share(measures.chest), '胸围'],
			waist: [share(measures.waist), '腰围'],
			hip: [share(measures.hip), '臀围'],
			note: [`${isMale ? '男性' : '女性'}理想三围参考`, '说明'],
		}),
		disclaimer: '结果按通用公式推算，仅供参考，不能替代医生的意见。',
	};
}
