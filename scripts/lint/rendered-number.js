import ts from 'typescript';

/** Whether a value of the type may be 0 (or NaN), which React renders as text. What is a node by its type is rendered as it is. */
function mayBeZero(type) {
  const parts = type.isUnion() ? type.types : [type];
  if (parts.some(({ symbol }) => symbol?.name === 'ReactPortal')) return false;
  return parts.some((part) =>
    part.isNumberLiteral() ? part.value === 0 : (part.flags & ts.TypeFlags.NumberLike) !== 0,
  );
}

const isMarkup = ({ type }) => type === 'JSXElement' || type === 'JSXFragment';

/** A lint rule against `{photos.length && <Photos />}`: without photos, React renders the 0. */
export const renderedNumber = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { number: 'React renders a 0 before &&. Compare the number, or use ?: with null.' },
  },
  create(context) {
    const { esTreeNodeToTSNodeMap, program } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isRendered = ({ right, parent }) =>
      isMarkup(right) || (parent.type === 'JSXExpressionContainer' && isMarkup(parent.parent));
    return {
      'LogicalExpression[operator="&&"]'(node) {
        if (!isRendered(node)) return;
        if (mayBeZero(checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node.left)))) {
          context.report({ node: node.left, messageId: 'number' });
        }
      },
    };
  },
};
