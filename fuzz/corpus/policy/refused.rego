package a
x := [[[[[[[[[[[[1]]]]]]]]]]]]
f(x) = g(x)
g(x) = f(x)
