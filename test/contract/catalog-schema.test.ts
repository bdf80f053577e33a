import { readFileSync } from "node:fs";
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  validateSchema,
  type GraphQLNamedType,
} from "graphql";
import { expect, test } from "vitest";

const read = (path: string) => buildSchema(readFileSync(new URL(path, import.meta.url), "utf8"));
const part = read("../../schemas/catalog.graphql");
const whole = read("datahub-v1.7.0.graphql");

/** What a type promises, one line each. */
function promises(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
  if (isUnionType(type)) return type.getTypes().map(({ name }) => `${type.name} = ${name}`);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map(
      (field) => `${type.name}.${field.name}: ${String(field.type)}`,
    );
  if (!isObjectType(type) && !isInterfaceType(type)) return [`scalar ${type.name}`];
  return [
    ...type.getInterfaces().map(({ name }) => `${type.name} implements ${name}`),
    ...Object.values(type.getFields()).flatMap((field) => [
      `${type.name}.${field.name}: ${String(field.type)}`,
      ...field.args.map(
        (argument) => `${type.name}.${field.name}(${argument.name}: ${String(argument.type)})`,
      ),
    ]),
  ];
}

/** What a request has to give, one line each. */
function demands(type: GraphQLNamedType): string[] {
  if (isInputObjectType(type))
    return Object.values(type.getFields())
      .filter(isRequiredInputField)
      .map((field) => `${type.name}.${field.name}`);
  if (!isObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    field.args.filter(isRequiredArgument).map((argument) => `${type.name}.${field.name}(${argument.name})`),
  );
}

const types = Object.values(part.getTypeMap()).filter(({ name }) => !name.startsWith("__"));

test("schemas/catalog.graphql is a valid schema", () => {
  expect(validateSchema(part)).toEqual([]);
});

test.each(types.map((type) => [type.name, type] as const))("%s is a true part of DataHub's", (name, type) => {
  const original = whole.getType(name);
  expect(original?.constructor.name).toBe(type.constructor.name);
  expect(promises(original!)).toEqual(expect.arrayContaining(promises(type)));
  expect(demands(type).toSorted()).toEqual(demands(original!).toSorted());
  if (isEnumType(type) || isUnionType(type))
    expect(promises(type).toSorted()).toEqual(promises(original!).toSorted());
});

test("the test sees a type that is not DataHub's", () => {
  const changed = buildSchema("type Query { entityExists(urn: String!): Boolean! }").getQueryType()!;
  expect(promises(whole.getQueryType()!)).not.toEqual(expect.arrayContaining(promises(changed)));
  expect(getNamedType(changed).name).toBe("Query");
});
